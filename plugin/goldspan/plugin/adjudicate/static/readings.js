// @ts-check
/* Readings: what can be chosen, as a group of radio buttons in which the focus rests. */

import { make } from "./lanes.js";
import { accept, parts, pick } from "./actions.js";
import { arrange, byId } from "./messages.js";
import { annotatorName, colourClass, state } from "./state.js";
import { cutsCharacter, quoteOf } from "./tasks.js";
import { day, figure, percent, placeWord, short } from "./words.js";

/** @typedef {import("./draft.js").Span} Span */

/** @param {Span} span @param {string} [quote] */
const spanParts = (span, quote = "") => {
  const box = make("span", { class: "span" });
  const label = make("span", { class: `label ${colourClass(span[2])}` });
  label.append(make("bdi", {}, short(span[2], 60)));
  const text = quote || (parts.task?.view.text ? quoteOf(parts.task, span[0], span[1]) : "");
  box.append(label, " ");
  if (text) {
    const said = make("q", {});
    said.append(make("bdi", {}, short(text, 90)));
    box.append(said, " ");
  }
  box.append(make("span", { class: "place" }, `${placeWord(span[0])}–${placeWord(span[1])}${cutting(span)}`));
  return box;
};

/** A boundary of the input inside of a character is kept, and marked. @param {Span} span */
const cutting = (span) => {
  const { task } = parts;
  if (!task?.view.text || !(cutsCharacter(task, span[0]) || cutsCharacter(task, span[1]))) return "";
  return " ⚠ cuts a character";
};

/** @param {Span[]} spans @param {string[]} [quotes] */
const spoken = (spans, quotes = []) =>
  spans.length
    ? spans.map((span, at) => {
        const text = quotes[at] || (parts.task?.view.text ? quoteOf(parts.task, span[0], span[1]) : "");
        return `${span[2]}, ${text ? short(text, 90) : `${placeWord(span[0])} to ${placeWord(span[1])}`}${cutting(span)}`;
      }).join("; ")
    : "nothing here";

/** @param {any} site */
const evidence = (site) => {
  const known = site.evidence.filter((/** @type {any} */ one) => one.suggested);
  const shown = known.length ? known : site.evidence.slice(0, 1);
  return shown.map((/** @type {any} */ one) => {
    const reasons = [["there", one.exists], ["label", one.labelled], ["place", one.placed]]
      .filter(([, value]) => value !== null).map(([name, value]) => `${name} ${figure(value)}`);
    return (known.length ? "" : `${short(one.span[2], 20)} was not suggested: `) + reasons.join(" · ");
  }).join("; ");
};

/** Every choice of the site: key, choice, spans, who, sentence.
 * @returns {{ key: string, choice: import("./draft.js").Choice, spans: Span[], quotes: string[], who: string, extra: string, say: string }[]} */
const choices = () => {
  const { site, draft } = state;
  const found = [];
  if (site.suggestion !== null) {
    const sure = site.p === null ? "" : percent(1 - site.p);
    found.push({
      key: "a", choice: /** @type {const} */ ("suggestion"), spans: site.suggestion, quotes: [], who: "Suggested",
      extra: [sure, evidence(site)].filter(Boolean).join(" · "), say: `Suggested: ${spoken(site.suggestion)}${sure && `, ${sure} sure`}`,
    });
  }
  for (const reading of site.readings) {
    if (!reading.spans.length && !reading.when) continue;
    const names = reading.who.map((/** @type {string} */ name) =>
      reading.when ? name : annotatorName(name) + (reading.yours && reading.who.length === 1 ? " (you)" : ""));
    const who = reading.when ? `${reading.yours ? "your" : `${names[0]}’s`} answer of ${day(reading.when)}` : names.join(", ");
    found.push({
      key: reading.number < 10 ? String(reading.number) : "", choice: reading.number, spans: reading.spans,
      quotes: reading.quotes, who, extra: "", say: `Reading ${reading.number}: ${spoken(reading.spans, reading.quotes)}, by ${who}`,
    });
  }
  const absent = site.absent.map(annotatorName).join(", ");
  found.push({
    key: "d", choice: /** @type {const} */ ("drop"), spans: [], quotes: [], who: absent, extra: "",
    say: `Nothing here${absent && `, as ${absent}`}`,
  });
  if (draft.choice === "own") {
    found.push({
      key: "", choice: /** @type {const} */ ("own"), spans: draft.spans, quotes: [], who: "Own",
      extra: site.answer ? "" : state.restored ? "not saved, from before the reload" : "not saved", say: `Own: ${spoken(draft.spans)}, not saved`,
    });
  }
  return found;
};

/** A row without what it says. @param {ReturnType<typeof choices>[number]} one */
const readingRow = (one) => make("div", {
  class: `reading ${one.choice === "own" ? "own-draft" : ""}`, role: "radio", "aria-checked": "false",
  "data-choice": String(one.choice), tabindex: -1,
});

/** @param {HTMLElement} row @param {ReturnType<typeof choices>[number]} one */
const fillRow = (row, one) => {
  row.setAttribute("aria-label", one.say);
  const what = make("span", { class: "what" });
  if (one.choice === "drop" || !one.spans.length) what.append(make("span", { class: "nothing" }, "Nothing here"));
  one.spans.slice(0, 6).forEach((span, place) => what.append(spanParts(span, one.quotes[place]), " "));
  if (one.spans.length > 6) what.append(`and ${one.spans.length - 6} more`);
  const who = make("span", { class: "by" });
  who.append(make("bdi", {}, short(one.who, 80)));
  const dot = make("span", { class: "dot" }, row.getAttribute("aria-checked") === "true" ? "●" : "○");
  row.replaceChildren(make("kbd", {}, one.key), dot, what, who, make("span", { class: "extra" }, one.extra));
};

export class Readings {
  constructor() {
    this.box = byId("readings");
    /** The site whose rows these are, and what each row says: a row is filled again only if that changes,
     * so that it keeps the focus and can be double-clicked. */
    this.site = "";
    /** @type {Map<import("./draft.js").Choice, { row: HTMLElement, said: string }>} */
    this.rows = new Map();
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("click", (event) => this.click(event));
    this.box.addEventListener("dblclick", (event) => {
      if (this.choiceAt(event) !== null) void accept();
    });
  }

  /** @param {Event} event @returns {import("./draft.js").Choice | null} */
  choiceAt(event) {
    const row = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[role=radio]"));
    if (!row) return null;
    const name = row.dataset.choice ?? "";
    return /^\d+$/.test(name) ? Number(name) : /** @type {any} */ (name);
  }

  /** @param {Event} event */
  click(event) {
    const choice = this.choiceAt(event);
    if (choice === null) return;
    if (choice !== "own") pick(choice);
    this.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const forward = event.key === "ArrowDown" || event.key === "ArrowRight";
    if (!forward && event.key !== "ArrowUp" && event.key !== "ArrowLeft") return;
    event.preventDefault();
    const rows = /** @type {HTMLElement[]} */ ([...this.box.children]);
    const at = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = rows[(at + (forward ? 1 : -1) + rows.length) % rows.length];
    const name = next.dataset.choice ?? "";
    if (name !== "own") pick(/^\d+$/.test(name) ? Number(name) : /** @type {any} */ (name));
    this.focus();
  }

  /** The focus goes to what is chosen, else to the first. */
  focus() {
    const row = this.box.querySelector("[aria-checked=true]") ?? this.box.firstElementChild;
    if (row !== document.activeElement) /** @type {HTMLElement | null} */ (row)?.focus({ preventScroll: true });
  }

  /** Before anything changes for another site: the focus is given up while the page is laid out, because the
   * browser lays it out for that. */
  leave() {
    const active = /** @type {HTMLElement | null} */ (document.activeElement);
    if (this.box.contains(active)) active?.blur();
  }

  render() {
    const { site, draft } = state;
    if (!site) return;
    const had = this.box.contains(document.activeElement);
    const found = choices();
    const before = this.site === site.id ? this.rows : new Map();
    this.site = site.id;
    this.rows = new Map(found.map((one) => {
      const said = JSON.stringify(one);
      const kept = before.get(one.choice) ?? { row: readingRow(one), said: "" };
      if (kept.said !== said) fillRow(kept.row, one);
      return [one.choice, { row: kept.row, said }];
    }));
    arrange(this.box, [...this.rows.values()].map((one) => one.row));
    const none = !found.some((one) => one.choice === draft.choice);
    found.forEach((one, at) => {
      const row = /** @type {HTMLElement} */ (this.box.children[at]);
      const checked = one.choice === draft.choice;
      const tab = checked || (none && at === 0) ? 0 : -1;
      if (row.tabIndex !== tab) row.tabIndex = tab;
      if (row.getAttribute("aria-checked") === String(checked)) return;
      row.setAttribute("aria-checked", String(checked));
      /** @type {HTMLElement} */ (row.querySelector(".dot")).textContent = checked ? "●" : "○";
    });
    if (had) this.focus();
  }
}
