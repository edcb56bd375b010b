// @ts-check
/* Keys: one key a command, by the letter that is on the key; another letter can be chosen, and
   single keys can be turned off. */

import { make } from "./lanes.js";
import { isDialogOpen } from "./dialogs.js";
import { byId } from "./messages.js";
import { keepSetting, setting, state } from "./state.js";

/** @typedef {object} Command
 * @property {string} name
 * @property {string} say  what it does
 * @property {string} key  as delivered; empty if it has none
 * @property {boolean} [large]  with Shift it goes further
 * @property {boolean} [decides]  not on repeat, and not at once after a new site
 * @property {boolean} [media]
 * @property {(large: boolean) => unknown} run
 */

/** No decision for a moment after a site appeared, so that a double stroke decides one site. */
const STILL_MS = 150;
const IGNORED = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]";

export class Keys {
  /** @param {Command[]} commands @param {{ take: (n: number) => unknown, label: (n: number) => unknown, escape: () => void }} also */
  constructor(commands, also) {
    this.commands = commands;
    this.also = also;
    /** @type {Record<string, string>} */
    this.changed = setting("keys", {});
    this.off = setting("keysOff", false);
    document.addEventListener("keydown", (event) => this.press(event));
    this.name();
  }

  /** @param {Command} command */
  keyOf(command) {
    return this.changed[command.name] ?? command.key;
  }

  /** The letter of a key: what is printed on it, or its place where the script is not Latin.
   * @param {KeyboardEvent} event */
  letter(event) {
    if (event.key === " ") return "space";
    if (/^[\x21-\x7e]$/.test(event.key)) return event.key.toLowerCase();
    const found = /^Key([A-Z])$/.exec(event.code);
    return found ? found[1].toLowerCase() : event.key;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.isComposing || event.defaultPrevented || isDialogOpen()) return;
    const target = /** @type {Element} */ (event.target);
    if (target.matches(IGNORED)) return;
    const letter = this.letter(event);
    if ((event.ctrlKey || event.metaKey) && !event.altKey && letter === "z") {
      event.preventDefault();
      this.run(event.shiftKey ? "redo" : "undo", false);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.also.escape();
    else if (event.key === "Enter") this.enter(event, target);
    else if (!this.off) this.single(event, target, letter);
  }

  /** @param {KeyboardEvent} event @param {Element} target */
  enter(event, target) {
    if (target.closest("button, a, summary, [role=option], [role=checkbox], input")) return;
    event.preventDefault();
    if (!event.repeat && this.isStill()) this.run("accept", false);
  }

  isStill() {
    return performance.now() - state.shownAt > STILL_MS;
  }

  /** @param {KeyboardEvent} event @param {Element} target @param {string} letter */
  single(event, target, letter) {
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
    if (digit && (event.code.startsWith("Digit") || /^[1-9]$/.test(event.key))) {
      event.preventDefault();
      if (event.shiftKey) this.also.label(Number(digit[1]));
      else if (!event.repeat && this.isStill()) this.also.take(Number(digit[1]));
      return;
    }
    if (letter === "space" && target.closest("button, a, summary, input, [role=option]")) return;
    const command = this.find(letter, event.shiftKey);
    if (!command) return;
    if (command.media && !this.isMedia()) return;
    event.preventDefault();
    if (command.decides && (event.repeat || !this.isStill())) return;
    command.run(event.shiftKey);
  }

  isMedia() {
    return state.site?.measure === "millisecond";
  }

  /** @param {string} letter @param {boolean} shift @returns {Command | undefined} */
  find(letter, shift) {
    const own = this.commands.filter((one) => {
      const key = this.keyOf(one);
      return key.replace("shift+", "") === letter || (one.name === "drop" && letter === "x" && !this.changed.drop);
    });
    const exact = own.find((one) => this.keyOf(one).startsWith("shift+") === shift);
    return exact ?? own.find((one) => !this.keyOf(one).startsWith("shift+") && (!shift || one.large || /^[^a-z]$/.test(letter)));
  }

  /** @param {string} name @param {boolean} large */
  run(name, large) {
    this.commands.find((one) => one.name === name)?.run(large);
  }

  /** Write the keys on the buttons. */
  name() {
    for (const button of document.querySelectorAll("[data-command]")) this.nameOne(/** @type {HTMLElement} */ (button));
  }

  /** @param {HTMLElement} button */
  nameOne(button) {
    const command = this.commands.find((one) => one.name === button.dataset.command);
    if (!command) return;
    const key = this.off ? "" : this.keyOf(command);
    button.title = command.say + (key ? ` (${spell(key)})` : "");
    if (key) button.setAttribute("aria-keyshortcuts", ariaKey(key));
    else button.removeAttribute("aria-keyshortcuts");
    let shown = button.querySelector("kbd");
    if (!key || key === "?") {
      shown?.remove();
      return;
    }
    if (!shown) {
      shown = make("kbd", { "aria-hidden": "true" });
      button.append(" ", shown);
    }
    shown.textContent = spell(key);
  }

  /** The table of the help, with a field for each key. */
  table() {
    const rows = this.commands.filter((one) => one.key).map((command) => {
      const line = make("tr", {});
      const field = /** @type {HTMLInputElement} */ (make("input", { class: "key", maxlength: 1, size: 2, autocomplete: "off", "aria-label": `Key for: ${command.say}` }));
      const fixed = command.key.startsWith("shift+") || command.key === "space" || command.key === "?";
      field.value = spell(this.keyOf(command));
      field.readOnly = fixed;
      field.addEventListener("keydown", (event) => this.change(event, command, field, fixed));
      const cell = make("td", {});
      cell.append(field);
      line.append(cell, make("td", {}, command.say + (command.large ? "; with Shift by word or 100 ms" : "")));
      return line;
    });
    const more = [["1–9", "choose a reading and accept it"], ["⇧1–9", "give the label of this number"], ["Enter", "accept what is chosen"], ["↑ ↓", "choose without accepting"], ["Esc", "discard the draft"]];
    byId("keys").replaceChildren(make("caption", { class: "hidden" }, "Keys"), ...rows, ...more.map(([key, what]) => {
      const line = make("tr", {});
      const cell = make("td", {});
      cell.append(make("kbd", {}, key));
      line.append(cell, make("td", {}, what));
      return line;
    }));
  }

  /** @param {KeyboardEvent} event @param {Command} command @param {HTMLInputElement} field @param {boolean} fixed */
  change(event, command, field, fixed) {
    if (event.key === "Tab" || event.key === "Escape" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const letter = this.letter(event);
    if (fixed || !/^[a-z,.;]$/.test(letter)) {
      byId("keys-say").textContent = "Choose a letter, a comma, a full stop or a semicolon.";
      return;
    }
    const other = this.commands.find((one) => one !== command && this.keyOf(one) === letter);
    if (other) {
      byId("keys-say").textContent = `${letter} is taken: ${other.say}.`;
      return;
    }
    this.changed = { ...this.changed, [command.name]: letter };
    keepSetting("keys", this.changed);
    field.value = letter;
    byId("keys-say").textContent = `${letter}: ${command.say}.`;
    this.name();
  }

  bindHelp() {
    const off = /** @type {HTMLInputElement} */ (byId("keys-off"));
    off.checked = this.off;
    off.addEventListener("change", () => {
      this.off = off.checked;
      keepSetting("keysOff", this.off);
      document.body.classList.toggle("keys-off", this.off);
      this.name();
    });
    document.body.classList.toggle("keys-off", this.off);
    byId("keys-reset").addEventListener("click", () => {
      this.changed = {};
      keepSetting("keys", {});
      this.table();
      this.name();
    });
  }
}

/** @param {string} key */
const spell = (key) => key.replace("shift+", "⇧").replace("space", "␣");

/** @param {string} key */
const ariaKey = (key) => key.replace("shift+", "Shift+").replace("space", "Space");
