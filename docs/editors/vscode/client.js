// The client of `dragonrules lsp` for VS Code, and the terminal that its lenses run in.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {InstanceType<typeof LanguageClient> | undefined} */
let client;

/** @param {import("vscode").ExtensionContext} context */
function activate(context) {
  const wishes = vscode.workspace.getConfiguration("dragonrules");
  const command = String(wishes.get("command") || "dragonrules");
  client = new LanguageClient(
    "dragonrules",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "dragon" }],
      initializationOptions: { inlayHints: wishes.get("inlayHints") === true },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.dragon") },
    },
  );
  /** @param {string} word */
  const quoted = (word) => (/^[\w./=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  context.subscriptions.push(
    vscode.commands.registerCommand("dragonrules.terminal", (/** @type {string[]} */ words) => {
      const found = vscode.window.terminals.find((t) => t.name === "dragonrules");
      const terminal = found ?? vscode.window.createTerminal("dragonrules");
      terminal.show();
      terminal.sendText([command, ...words].map(quoted).join(" "));
    }),
  );
  return client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
