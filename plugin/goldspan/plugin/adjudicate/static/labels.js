// @ts-check
/* Labels: a row of buttons for up to nine, and a list to search for any number. */

import { make } from "./lanes.js";
import { current, relabel } from "./draft.js";
import { byId, say } from "./messages.js";
import { colourClass, setDraft, state } from "./state.js";
import { openDialog } from "./dialogs.js";
import { short } from "./words.js";

const ROW_OF = 9;

/** Give the current span a label. @param {string} label */
export const setLabel = (label) => {
  if (!current(state.draft)) {
    const from = state.site?.readings.find((/** @type {any} */ one) => one.spans.length)?.spans ?? [];
    if (!from.length) {
      say("There is no span to label.");
      return;
    }
    state.draft = { choice: "own", spans: [...from], at: 0, how: "label" };
  }
  setDraft(relabel(state.draft, label));
  say(`Label ${label}. Not saved yet.`);
};

/** The n-th label of the row. @param {number} n */
export const labelNumber = (n) => {
  const label = rowLabels()[n - 1];
  if (label) setLabel(label);
  else say(`There is no label ${n}.`);
};

/** All labels if they fit into a row, else those in dispute and the last ones. */
const rowLabels = () => {
  const { labels } = state.project;
  return labels.length <= ROW_OF ? labels : ordered().slice(0, 5);
};

/** The disputed labels first, then the last used, then all. @returns {string[]} */
const ordered = () => {
  const disputed = (state.site?.readings ?? []).flatMap((/** @type {any} */ one) => one.spans.map((/** @type {any} */ span) => span[2]));
  return [...new Set([...disputed, ...state.recent, ...state.project.labels])];
};

/** The labels that have buttons; these are made again only if it changes. */
let drawn = "";

export const showLabels = () => {
  const labels = rowLabels();
  const said = JSON.stringify(labels);
  if (said !== drawn) drawLabels(labels);
  drawn = said;
  const now = current(state.draft)?.[2];
  labels.forEach((/** @type {string} */ label, /** @type {number} */ at) => {
    const pressed = String(label === now);
    const button = byId("labels").children[at];
    if (button.getAttribute("aria-pressed") !== pressed) button.setAttribute("aria-pressed", pressed);
  });
};

/** @param {string[]} labels */
const drawLabels = (labels) => {
  const buttons = labels.map((/** @type {string} */ label, /** @type {number} */ at) => {
    const button = make("button", { type: "button", class: `chip ${colourClass(label)}`, "aria-pressed": "false", "aria-keyshortcuts": `Shift+${at + 1}`, title: label });
    button.append(make("span", { class: "number", "aria-hidden": "true" }, `⇧${at + 1}`), make("bdi", {}, short(label, 24)));
    button.addEventListener("click", () => setLabel(label));
    return button;
  });
  const any = make("button", { type: "button", class: "chip", "data-command": "label", "aria-keyshortcuts": "l", "aria-haspopup": "dialog" });
  any.append(make("span", {}, "Label "), make("kbd", { "aria-hidden": "true" }, "l"));
  byId("labels").replaceChildren(...buttons, any);
};

/** How well a label fits what was typed: the beginning first, then the beginning of a part.
 * @param {string} label @param {string} typed */
const fit = (label, typed) => {
  const own = label.toLocaleLowerCase();
  if (!typed || own.startsWith(typed)) return 0;
  if (own.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(typed))) return 1;
  return own.includes(typed) ? 2 : 3;
};

export class LabelChooser {
  constructor() {
    this.input = /** @type {HTMLInputElement} */ (byId("label-find"));
    this.list = byId("label-list");
    this.active = 0;
    /** @type {string[]} */
    this.found = [];
    this.input.addEventListener("input", () => {
      this.active = 0;
      this.render();
    });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[role=option]"));
      if (row) this.take(Number(row.dataset.at));
    });
  }

  open() {
    this.input.value = "";
    const now = current(state.draft)?.[2];
    this.render();
    this.active = Math.max(0, this.found.indexOf(now ?? ""));
    openDialog("dialog-label");
    this.render();
    this.input.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      this.take(this.active);
    } else if (event.key in moves) {
      event.preventDefault();
      this.active = Math.min(Math.max(this.active + moves[event.key], 0), this.found.length - 1);
      this.render();
    }
  }

  /** @param {number} at */
  take(at) {
    const label = this.found[at];
    if (label === undefined) return;
    /** @type {HTMLDialogElement} */ (byId("dialog-label")).close();
    setLabel(label);
  }

  render() {
    const typed = this.input.value.trim();
    const wanted = typed.toLocaleLowerCase();
    const all = ordered().map((label, at) => /** @type {const} */ ([fit(label, wanted), at, label]));
    this.found = all.filter(([rank]) => rank < 3).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , label]) => label);
    const isNew = Boolean(typed) && state.project.new_labels && !state.project.labels.includes(typed);
    if (isNew) this.found.push(typed);
    this.list.replaceChildren(...this.found.map((label, at) => {
      const row = make("div", { id: `label-${at}`, role: "option", "aria-selected": String(at === this.active), "data-at": at, class: `choice ${colourClass(label)}` });
      row.append(make("span", { class: "swatch" }), make("bdi", {}, short(label, 120)));
      if (isNew && at === this.found.length - 1) row.append(make("span", { class: "soft" }, " new"));
      return row;
    }));
    this.input.setAttribute("aria-activedescendant", this.found.length ? `label-${this.active}` : "");
    byId("label-say").textContent = this.found.length ? "" : state.project.new_labels ? "Type a label." : "No annotator uses such a label. --new-labels allows new ones.";
    this.list.children[this.active]?.scrollIntoView({ block: "nearest" });
  }
}
