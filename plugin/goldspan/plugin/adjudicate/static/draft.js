// @ts-check
/* Draft: the answer that is being made. Pure functions; nothing is stored before it is accepted. */

/** @typedef {[number, number, string]} Span  start, end, label; half-open
 * @typedef {"" | "suggestion" | "drop" | "own" | number} Choice  a number is a reading's
 * @typedef {object} Draft
 * @property {Choice} choice
 * @property {Span[]} spans
 * @property {number} at  the span that keys change
 * @property {string} how  accept, take, label, move, split, join, drop or add
 */

/** @param {Span} a @param {Span} b */
const byPlace = (a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);

/** @param {Span[]} a @param {Span[]} b */
export const sameSpans = (a, b) => JSON.stringify([...a].sort(byPlace)) === JSON.stringify([...b].sort(byPlace));

/** The draft of a choice, with the site's own spans. @param {any} site @param {Choice} choice @returns {Draft} */
export const choose = (site, choice) => {
  if (choice === "suggestion") return { choice, spans: [...(site.suggestion ?? [])], at: 0, how: "accept" };
  if (choice === "drop") return { choice, spans: [], at: 0, how: "drop" };
  const reading = site.readings.find((/** @type {any} */ one) => one.number === choice);
  if (reading) return { choice, spans: [...reading.spans], at: 0, how: "take" };
  return { choice: "", spans: [], at: 0, how: "" };
};

/** What is chosen when a site appears: its answer, else the suggestion, else nothing.
 * @param {any} site @returns {Draft} */
export const firstDraft = (site) => {
  if (site.answer) {
    if (!site.answer.length) return choose(site, "drop");
    const reading = site.readings.find((/** @type {any} */ one) => sameSpans(one.spans, site.answer));
    if (reading) return choose(site, reading.number);
    return { choice: "own", spans: [...site.answer], at: 0, how: "accept" };
  }
  if (site.suggestion === null) return choose(site, "");
  return choose(site, "suggestion");
};

/** @param {Draft} draft @param {Span[]} spans @param {string} how @param {number} at @returns {Draft} */
const edited = (draft, spans, how, at) => {
  const chosen = spans[at];
  const sorted = [...spans].sort(byPlace);
  return { choice: "own", spans: sorted, at: Math.max(0, sorted.indexOf(chosen)), how: sorted.length ? how : "drop" };
};

/** The span that keys change; before anything is chosen there is none.
 * @param {Draft} draft @returns {Span | undefined} */
export const current = (draft) => draft.spans[draft.at];

/** @param {Draft} draft @param {string} label */
export const relabel = (draft, label) => {
  const spans = draft.spans.map((span, at) => /** @type {Span} */ (at === draft.at ? [span[0], span[1], label] : span));
  return edited(draft, spans, "label", draft.at);
};

/** Other bounds for the current span; null if it would have no length.
 * @param {Draft} draft @param {number} start @param {number} end */
export const rebound = (draft, start, end) => {
  if (!(start < end) || !current(draft)) return null;
  const spans = draft.spans.map((span, at) => /** @type {Span} */ (at === draft.at ? [start, end, span[2]] : span));
  return edited(draft, spans, "move", draft.at);
};

/** Cut the current span; spaces at the cut belong to neither part.
 * @param {Draft} draft @param {number} left  where the first part ends @param {number} right  where the second starts */
export const split = (draft, left, right) => {
  const span = current(draft);
  if (!span || !(span[0] < left && left <= right && right < span[1])) return null;
  /** @type {Span[]} */
  const parts = [[span[0], left, span[2]], [right, span[1], span[2]]];
  return edited(draft, draft.spans.flatMap((one, at) => (at === draft.at ? parts : [one])), "split", draft.at);
};

/** Join the current span with a later one, which goes if it is the draft's.
 * @param {Draft} draft @param {Span} [outside]  the next span of a neighbour */
export const join = (draft, outside) => {
  const span = current(draft);
  const next = draft.spans[draft.at + 1] ?? outside;
  if (!span || !next) return null;
  /** @type {Span} */
  const joined = [Math.min(span[0], next[0]), Math.max(span[1], next[1]), span[2]];
  const rest = draft.spans.filter((_, at) => at !== draft.at && at !== draft.at + 1);
  return edited(draft, [joined, ...rest], "join", 0);
};

/** @param {Draft} draft @param {Span} span */
export const add = (draft, span) => edited(draft, [...draft.spans, span], "add", draft.spans.length);

/** @param {Draft} draft */
export const without = (draft) => edited(draft, draft.spans.filter((_, at) => at !== draft.at), "move", 0);
