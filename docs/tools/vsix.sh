#!/usr/bin/env bash
# The VS Code extension as one file: docs/tools/vsix.sh OUT.vsix (needs node and npm; nothing stays in the tree)
set -euo pipefail
out=$(realpath "${1:?where to?}")
here=$(cd "$(dirname "$0")/../editors/vscode" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cp "$here"/* "$place"
cd "$place"
npm install --silent --no-save vscode-languageclient@^9 esbuild@^0.25 @vscode/vsce@^3 \
    typescript@^5 @types/vscode@~1.82 @types/node@^20 >/dev/null
npx tsc --noEmit --allowJs --checkJs --strict --skipLibCheck --target es2022 --module nodenext client.js
npx esbuild client.js --bundle --platform=node --external:vscode --outfile=extension.js --log-level=error
rm client.js
npm pkg set main=./extension.js 'engines.vscode=^1.82.0' 'activationEvents[]=onLanguage:dragon' \
    'contributes.configuration.title=dragonrules' \
    'contributes.configuration.properties[dragonrules.inlayHints].description=Types of names, and what an option was.' \
    'contributes.configuration.properties[dragonrules.inlayHints].type=boolean' \
    'contributes.configuration.properties[dragonrules.command].type=string' \
    'contributes.configuration.properties[dragonrules.command].default=dragonrules' \
    'contributes.configuration.properties[dragonrules.command].description=The command that starts dragonrules.'
npx vsce package --no-dependencies --skip-license --allow-missing-repository --out "$out" >/dev/null
echo "$out"
