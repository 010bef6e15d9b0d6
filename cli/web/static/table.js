// The table's script: connects, swaps the sections that have changed, sends clicks and keys, shows
// tips, lets things glide to where they lie now. All words and drawings come from the server.
// @ts-check

/** @typedef {{t: string, q?: number, seat?: number|null, sections?: Record<string, string>, text?: string, name?: string, table?: string, title?: string, left?: number|null}} Message */

const STORE = "dragonrules.link";
const DRAFT = "dragonrules.draft.";
const PATIENCE = 600;
const GLIDE = 350;
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {WebSocket|null} */
let socket = null;
let question = 0;
let why = false;
/** Moving by hand: on or off, what has been taken hold of, and from where it is being dragged. */
let byHand = false;
/** @type {Element|null} */
let taken = null;
/** @type {{thing: Element, x: number, y: number, far: boolean}|null} */
let dragged = null;
let delay = 500;
let leaving = false;
let designed = "";
let typing = 0;
/** @type {number|null} */
let deadline = null;

/** @param {string} id @returns {HTMLElement} */
function at(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

/** The link: from the address once, then from this tab's memory. @returns {string|null} */
function token() {
  const given = location.hash.slice(1);
  if (given && !/^(ask|question)$/.test(given)) {
    sessionStorage.setItem(STORE, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(STORE);
}

/** @param {object} message */
function send(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function connect() {
  const link = token();
  if (!link) {
    at("link").textContent = "This page needs the link to a seat.";
    return;
  }
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/socket`);
  socket.addEventListener("open", () => {
    delay = 500;
    at("link").textContent = "";
    send({ t: "hello", token: link });
  });
  socket.addEventListener("message", (event) => receive(JSON.parse(String(event.data))));
  socket.addEventListener("close", (event) => {
    socket = null;
    if (leaving) return;
    if (event.code === 4401) {
      sessionStorage.removeItem(STORE);
      at("link").textContent = "This link is not good any more. Ask for a new one.";
      return;
    }
    if (event.code === 4403 || event.code === 4429) {
      at("link").textContent = event.code === 4403 ? "The server does not know this page." : "Too much at once. Reload to go on.";
      return;
    }
    at("link").textContent = "The connection is lost; trying again …";
    setTimeout(connect, delay);
    delay = Math.min(delay * 2, 8000);
  });
}

/** @param {Message} message */
function receive(message) {
  if (message.t === "page" && message.sections) {
    if (message.q !== undefined) question = message.q;
    swap(message.sections);
    document.body.dataset["q"] = String(question);
    if ("head" in message.sections || "lobby" in message.sections) {
      const lobby = "lobby" in message.sections;
      at("lobby").hidden = !lobby;
      at("table").hidden = lobby;
      at("tabs").hidden = lobby;
    }
    at("naming").hidden = !message.seat;
  } else if (message.t === "note") {
    say(message.text || "");
  } else if (message.t === "clock") {
    deadline = typeof message.left === "number" ? performance.now() + message.left * 1000 : null;
    tick();
  } else if (message.t === "draft") {
    designed = message.table || "";
    at("designed").textContent = message.title || "";
    const field = /** @type {HTMLTextAreaElement} */ (at("draft"));
    field.value = sessionStorage.getItem(DRAFT + message.title) || message.text || "";
    at("designer").hidden = false;
    for (const id of ["findings", "sides", "comparison"]) at(id).innerHTML = "";
    field.focus();
    design("read");
  } else if (message.t === "file") {
    keep(message.name || "match.json", message.text || "");
  }
}

// ---------------------------------------------------------------- sections
/** @param {Record<string, string>} sections */
function swap(sections) {
  const before = places();
  const active = document.activeElement;
  const home = active ? active.closest("#ask, #boards, #mine, #others, #common") : null;
  const mark = active instanceof Element && home ? describe(active) : null;
  const asked = document.getElementById("question")?.textContent;
  for (const [id, html] of Object.entries(sections)) {
    const target = document.getElementById(id);
    if (!target) continue;
    const log = target.querySelector(".log");
    const low = !log || log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    target.innerHTML = html;
    const after = target.querySelector(".log");
    if (after && low) after.scrollTop = after.scrollHeight;
  }
  if (home && document.activeElement === document.body) {
    const same = mark && document.getElementById("question")?.textContent === asked ? document.querySelector(mark) : null;
    const next = same || document.querySelector("#ask [data-o], #ask input, #ask summary") || at("ask");
    if (next instanceof HTMLElement || next instanceof SVGElement) next.focus({ preventScroll: true });
  }
  document.body.classList.toggle("asked", !!document.querySelector("#ask [data-o], #ask form"));
  if (why && !document.querySelector("#question")) stopAsking();
  if (byHand) moveByHand(!!document.querySelector("[data-do=byhand]"));
  hideTip();
  glide(before);
  const head = document.querySelector("#head h1");
  if (head) document.title = `${document.body.classList.contains("asked") ? "● " : ""}${head.textContent}`;
}

/** A selector that finds the same control on the next page. @param {Element} element */
function describe(element) {
  for (const key of ["data-do", "data-cell", "data-at"]) {
    const value = element.getAttribute(key);
    if (value) return `[${key}="${CSS.escape(value)}"]`;
  }
  return null;
}

/** Where everything lies that has a name. @returns {Map<string, DOMRect>} */
function places() {
  const found = new Map();
  for (const element of document.querySelectorAll("[data-h]")) found.set(element.getAttribute("data-h"), element.getBoundingClientRect());
  return found;
}

/** Things move from where they were. @param {Map<string, DOMRect>} before */
function glide(before) {
  if (still.matches) return;
  for (const element of document.querySelectorAll("[data-h]")) {
    const was = before.get(element.getAttribute("data-h") || "");
    if (!was || !was.width) continue;
    const now = element.getBoundingClientRect();
    const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
    const scale = matrix && matrix.a ? matrix.a : 1;
    const x = (was.left - now.left) / scale, y = (was.top - now.top) / scale;
    if (Math.abs(x) + Math.abs(y) < 3 || Math.abs(x) + Math.abs(y) > 6000) continue;
    const owner = element.closest("svg");
    if (owner) owner.classList.add("moving");
    const moving = element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
    moving.onfinish = () => owner?.classList.remove("moving");
  }
}

// ---------------------------------------------------------------- choosing
/** @param {Event} event */
function pressed(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (!target) return;
  if (why) {
    const thing = target.closest("[data-at]");
    if (thing && !target.closest("[data-do]")) {
      event.preventDefault();
      send({ t: "why", at: thing.getAttribute("data-at") });
      stopAsking();
      return;
    }
  }
  if (byHand && !target.closest("[data-do], input")) {
    const thing = target.closest("#table [data-at]");
    if (thing) {
      event.preventDefault();
      if (taken && taken.isConnected) putDown(thing);
      else takeHold(thing);
      return;
    }
  }
  const option = target.closest("[data-o]");
  if (option) {
    event.preventDefault();
    send({ t: "choose", q: question, i: Number(option.getAttribute("data-o")) });
    return;
  }
  const tab = target.closest("#tabs button");
  if (tab) return showTab(tab.getAttribute("data-tab") || "boards");
  const control = target.closest("[data-do]");
  if (control instanceof HTMLElement) {
    event.preventDefault();
    act(control);
    return;
  }
  const told = target.closest("[data-tip]");
  if (told && event instanceof PointerEvent && event.pointerType !== "mouse") showTip(told);
}

// ---------------------------------------------------------------- moving by hand
/** What is pressed on, and the place that it is drawn in. @param {Element} thing */
function grip(thing) {
  const place = thing.closest("[data-place]");
  return [thing.getAttribute("data-at"), place ? place.getAttribute("data-place") : null];
}

/** @param {Element} thing */
function takeHold(thing) {
  letGo();
  taken = thing;
  thing.classList.add("taken");
  say("Now press on where it goes. Escape lets it go.");
}

/** @param {Element} where */
function putDown(where) {
  if (!taken) return;
  if (where !== taken) send({ t: "byhand", taken: grip(taken), put: grip(where) });
  letGo();
}

function letGo() {
  if (taken) taken.classList.remove("taken");
  taken = null;
  dragged = null;
}

/** @param {boolean} on */
function moveByHand(on) {
  const fresh = on && !byHand;
  byHand = on;
  letGo();
  document.body.classList.toggle("byhand", on);
  const control = document.querySelector("[data-do=byhand]");
  if (control) control.setAttribute("aria-pressed", String(on));
  if (fresh) say("Press on a thing and then on where it goes, or drag it. Press the button again to play on.");
  for (const thing of document.querySelectorAll("#table [data-at]")) if (on && thing.getAttribute("tabindex") === "-1") thing.setAttribute("tabindex", "0");
}

document.addEventListener("pointerdown", (event) => {
  const target = event.target instanceof Element ? event.target.closest("#table [data-at]") : null;
  if (byHand && target && event.button === 0) dragged = { thing: target, x: event.clientX, y: event.clientY, far: false };
});
document.addEventListener("pointermove", (event) => {
  if (!dragged || dragged.far) return;
  if (Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < 8) return;
  dragged.far = true;
  const { thing } = dragged;
  takeHold(thing);
  dragged = { thing, x: 0, y: 0, far: true };
});
document.addEventListener("pointerup", (event) => {
  const moved = dragged && dragged.far;
  dragged = null;
  if (!moved) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const where = under ? under.closest("#table [data-at]") : null;
  if (where) putDown(where);
  else letGo();
  const hush = (/** @type {Event} */ click) => { click.stopPropagation(); click.preventDefault(); };
  document.addEventListener("click", hush, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", hush, { capture: true }), 0);
});

/** @param {HTMLElement} control */
function act(control) {
  const what = control.dataset["do"] || "";
  if (what === "byhand") return moveByHand(!byHand);
  if (what === "given") return setting();
  if (what === "whynot") {
    why = !why;
    document.body.classList.toggle("why", why);
    if (why) say("Choose what you would like to do, and you are told why it cannot be.");
  } else if (what === "cells") {
    const fields = [...document.querySelectorAll("[data-cell]")];
    send({ t: "cells", q: question, values: fields.map((field) => Number(/** @type {HTMLInputElement} */ (field).value)) });
  } else if (what === "copy") {
    const text = control.dataset["text"] || "";
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say("Copied."), () => say("Copy it by hand."));
    else say("Copy it by hand.");
  } else if (what === "design") {
    send({ t: "design", do: "open", table: control.dataset["table"] });
  } else if (what === "goon" || what === "compare") {
    design(what === "goon" ? "go on" : "compare");
  } else if (what === "stopcompare") {
    send({ t: "design", do: "stop" });
  } else if (what === "closedesign") {
    at("designer").hidden = true;
  } else if (what === "boardfrom") {
    const number = Number(/** @type {HTMLSelectElement} */ (at("scenario")).value);
    send({ t: "design", do: "scenario", table: designed, number });
  } else if (what === "open") {
    open();
  } else if (what === "host") {
    const data = control.dataset;
    send({
      t: "host", do: data["what"], table: data["table"], kind: data["kind"],
      seat: data["seat"] ? Number(data["seat"]) : undefined,
      number: data["number"] ? Number(data["number"]) : undefined,
    });
  } else {
    send({ t: what, q: question });
  }
}

function open() {
  const form = /** @type {HTMLFormElement} */ (at("opening"));
  const data = new FormData(form);
  const game = String(data.get("game"));
  /** @type {Record<string, string>} */
  const options = {};
  for (const part of String(data.get("options") || "").split(",")) {
    const [name, value] = part.split("=");
    if (name && value !== undefined) options[name.trim()] = value.trim();
  }
  const boxes = [...form.querySelectorAll(`fieldset[data-game="${CSS.escape(game)}"] input:checked`)];
  const variants = boxes.map((box) => /** @type {HTMLInputElement} */ (box).value);
  const seats = data.getAll("seat").map(String).filter(Boolean);
  send({ t: "host", do: "open", game, variants, options, seats });
}

/** The text of the designer's page, with what to do about it. @param {string} what */
function design(what) {
  const text = /** @type {HTMLTextAreaElement} */ (at("draft")).value;
  sessionStorage.setItem(DRAFT + at("designed").textContent, text);
  const games = Number(/** @type {HTMLInputElement} */ (at("games")).value);
  const bot = /** @type {HTMLSelectElement} */ (at("bot")).value;
  send({ t: "design", do: what, table: designed, text, games, bot });
}

function chosenGame() {
  const form = document.getElementById("opening");
  if (!(form instanceof HTMLFormElement)) return;
  const game = new FormData(form).get("game");
  for (const part of form.querySelectorAll("fieldset[data-game]")) /** @type {HTMLElement} */ (part).hidden = part.getAttribute("data-game") !== game;
}

function setting() {
  const field = document.querySelector("#setting input");
  if (!(field instanceof HTMLInputElement) || !field.value.trim()) return;
  send({ t: "given", text: field.value });
}

function stopAsking() {
  why = false;
  document.body.classList.remove("why");
}

/** @param {string} name */
function showTab(name) {
  document.body.dataset["tab"] = name;
  for (const tab of document.querySelectorAll("#tabs button")) tab.setAttribute("aria-pressed", String(tab.getAttribute("data-tab") === name));
}

/** @param {KeyboardEvent} event */
function key(event) {
  const target = event.target instanceof Element ? event.target : document.body;
  if (event.key === "Escape") {
    stopAsking();
    letGo();
    hideTip();
    return;
  }
  if (target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Enter" && target.matches("[data-cell]")) {
      event.preventDefault();
      const done = document.querySelector("[data-do=cells]");
      if (done instanceof HTMLElement) act(done);
    }
    return;
  }
  if ((event.key === "Enter" || event.key === " ") && (byHand || target instanceof SVGElement) && target.closest("[data-o], [data-at]")) {
    pressed(event);
    return;
  }
  const options = [...document.querySelectorAll("#ask [data-o]")];
  if (/^[1-9]$/.test(event.key)) {
    const option = options[Number(event.key) - 1];
    if (option) send({ t: "choose", q: question, i: Number(option.getAttribute("data-o")) });
    return;
  }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const here = options.indexOf(target);
    if (here < 0) return;
    event.preventDefault();
    const next = options[(here + (event.key === "ArrowDown" ? 1 : options.length - 1)) % options.length];
    if (next instanceof HTMLElement) next.focus();
    return;
  }
  /** @type {Record<string, string>} */
  const keys = { u: "undo", b: "back", h: "hint", w: "whynot", r: "explain" };
  const wanted = keys[event.key];
  const control = wanted ? document.querySelector(`#ask [data-do=${wanted}]`) : null;
  if (control instanceof HTMLElement) act(control);
}

// ---------------------------------------------------------------- small things
let quiet = 0;
/** @param {string} text */
function say(text) {
  at("say").textContent = text;
  clearTimeout(quiet);
  quiet = window.setTimeout(() => { at("say").textContent = ""; }, 9000);
}

function tick() {
  const clock = at("clock");
  clock.hidden = deadline === null;
  if (deadline === null) return;
  const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
  clock.textContent = `${left} s`;
  clock.classList.toggle("late", left <= 10);
}

/** @param {Element} element */
function showTip(element) {
  const text = element.getAttribute("data-tip");
  if (!text) return;
  const tip = at("tip"), box = element.getBoundingClientRect();
  tip.textContent = text;
  tip.hidden = false;
  const wide = tip.offsetWidth, high = tip.offsetHeight;
  tip.style.left = `${Math.max(6, Math.min(innerWidth - wide - 6, box.left + box.width / 2 - wide / 2))}px`;
  tip.style.top = `${box.bottom + high + 8 < innerHeight ? box.bottom + 6 : Math.max(6, box.top - high - 6)}px`;
}

function hideTip() {
  at("tip").hidden = true;
}

/** @param {string} name @param {string} text */
function keep(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// ---------------------------------------------------------------- at work
document.addEventListener("click", pressed);
document.addEventListener("keydown", key);
document.addEventListener("pointerover", (event) => {
  const target = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
  if (target && event.pointerType === "mouse") showTip(target);
  else hideTip();
});
document.addEventListener("focusin", (event) => {
  const target = event.target instanceof Element && event.target.matches("[data-tip]:focus-visible") ? event.target : null;
  if (target) showTip(target);
  else hideTip();
});
document.addEventListener("input", (event) => {
  const target = event.target;
  if (target instanceof HTMLTextAreaElement && target.id === "draft") {
    clearTimeout(typing);
    typing = window.setTimeout(() => design("read"), PATIENCE);
  }
  if (target instanceof HTMLInputElement && target.dataset["replay"] !== undefined) send({ t: "replay", step: Number(target.value) });
});
document.addEventListener("change", chosenGame);
document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target instanceof Element ? event.target : null;
  if (form && form.id === "setting") setting();
  if (form && form.id === "naming") {
    const field = /** @type {HTMLInputElement} */ (at("name"));
    send({ t: "name", name: field.value });
    field.blur();
  }
});
window.addEventListener("pagehide", () => { leaving = true; });
setInterval(tick, 500);
showTab("boards");
connect();

export {};
