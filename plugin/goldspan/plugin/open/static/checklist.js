// @ts-check
/* Checklist: names with a check box each, and a field that filters them if there are many. What is not
   checked is left out. */
import { make, one } from "./elements.js";

const MANY = 12;
const MOST_SHOWN = 200;

export class Checklist {
  /** @param {string} place @param {string} summary @param {string} noun @param {(left: string[]) => void} set */
  constructor(place, summary, noun, set) {
    this.summary = one(summary);
    this.noun = noun;
    this.set = set;
    /** @type {string[]} */
    this.names = [];
    /** @type {number[]} */
    this.units = [];
    /** @type {Set<string>} */
    this.left = new Set();
    this.filter = /** @type {HTMLInputElement} */ (make("input", { type: "search", placeholder: "Filter", "aria-label": `Filter the ${noun}s` }));
    this.filter.addEventListener("input", (event) => { event.stopPropagation(); this.draw(); });
    this.list = make("div", { class: "checklist", role: "group", "aria-label": `${noun[0].toUpperCase()}${noun.slice(1)}s that count` });
    this.list.addEventListener("input", (event) => this.change([/** @type {HTMLInputElement} */ (event.target)]));
    this.more = make("p", { class: "soft" });
    const buttons = make("p", { class: "row" });
    for (const [text, checked] of /** @type {[string, boolean][]} */ ([["Check all", true], ["Check none", false]])) {
      const button = make("button", { type: "button" }, text);
      button.addEventListener("click", () => this.change(this.boxes(checked)));
      buttons.append(button);
    }
    this.buttons = buttons;
    one(place).append(this.filter, buttons, this.list, this.more);
  }

  /** @param {string[]} names @param {number[]} units */
  fill(names, units) {
    this.names = names;
    this.units = units;
    this.filter.hidden = this.buttons.hidden = names.length <= MANY;
    this.filter.value = "";
  }

  /** @param {string[]} left */
  show(left) {
    this.left = new Set(left);
    this.draw();
  }

  /** What the filter lets through, with the position of each. */
  found() {
    const sought = this.filter.value.trim().toLowerCase();
    return [...this.names.entries()].filter(([, name]) => name.toLowerCase().includes(sought));
  }

  /** Boxes for all that the filter lets through, also those that are not drawn. @param {boolean} checked */
  boxes(checked) {
    return this.found().map(([, value]) => ({ value, checked }));
  }

  /** @param {{ value: string, checked: boolean }[]} boxes */
  change(boxes) {
    for (const { value, checked } of boxes) {
      if (checked) this.left.delete(value);
      else this.left.add(value);
    }
    this.set(this.names.filter((name) => this.left.has(name)));
    if (boxes.length !== 1) this.draw();
    this.say();
  }

  draw() {
    const found = this.found();
    this.list.replaceChildren(...found.slice(0, MOST_SHOWN).map(([at, name]) => {
      const label = make("label", { class: "check" });
      const input = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", value: name }));
      input.checked = !this.left.has(name);
      label.append(input, make("span", {}, name), make("small", { title: "units" }, String(this.units[at])));
      return label;
    }));
    const hidden = found.length - MOST_SHOWN;
    this.more.textContent = hidden > 0 ? `${hidden} more ${this.noun}s: filter to see them.` : found.length ? "" : `No ${this.noun} matches.`;
    this.say();
  }

  say() {
    const left = this.names.filter((name) => this.left.has(name)).length;
    this.summary.textContent = left ? ` (${left} left out)` : ` (${this.names.length})`;
  }
}
