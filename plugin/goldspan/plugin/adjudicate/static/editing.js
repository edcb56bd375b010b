// @ts-check
/* Editing: what keys, sliders and handles do to the span of the draft that is current. */

import { make } from "./lanes.js";
import { parts, send, showSite } from "./actions.js";
import { add, current, join, rebound, split } from "./draft.js";
import { byId, put, say } from "./messages.js";
import { boundaries, stepText } from "./positions.js";
import { colourClass, emit, setDraft, state } from "./state.js";
import { forgetTasks, pieceAround, quoteOf } from "./tasks.js";
import { isTime, placeWord, short } from "./words.js";

const SMALL_MS = 10, LARGE_MS = 100;

/** How far a task reaches. */
const bounds = () => [0, parts.task?.view.length ?? Infinity];

/** The span that is edited; where nothing is chosen yet, the first reading is taken as a draft. */
const editable = () => {
  const { site, draft } = state;
  if (!site) return null;
  if (!draft.spans.length) {
    const from = site.readings.find((/** @type {any} */ one) => one.spans.length)?.spans ?? site.candidates;
    if (!from.length) return null;
    state.draft = { choice: "own", spans: [...from], at: 0, how: "move" };
  }
  return current(state.draft) ?? null;
};

/** @param {"start" | "end"} edge @param {number} direction @param {boolean} large */
export const moveEdge = (edge, direction, large) => {
  const span = editable();
  if (!span) return say("There is no span to move: choose a reading, or add one with i.");
  const position = edge === "start" ? span[0] : span[1];
  const next = nextPosition(position, direction, large, edge);
  if (next === null) return say("The text ends here.");
  return setEdge(edge, next);
};

/** @param {number} position @param {number} direction @param {boolean} large @param {"start" | "end"} edge */
const nextPosition = (position, direction, large, edge) => {
  const [low, high] = bounds();
  if (parts.task?.view.text) {
    const found = stepText(pieceAround(parts.task, position), position, direction, large ? "word" : "grapheme", edge);
    return found ?? (direction > 0 && position < high ? high : null);
  }
  const size = isTime() ? (large ? LARGE_MS : SMALL_MS) : large ? 10 : 1;
  const next = direction > 0 ? Math.floor(position / size) * size + size : Math.ceil(position / size) * size - size;
  return next < low || next > high ? null : next;
};

/** @param {"start" | "end"} edge @param {number} position */
export const setEdge = (edge, position) => {
  const span = editable();
  if (!span) return;
  const [start, end] = edge === "start" ? [position, span[1]] : [span[0], position];
  const made = rebound(state.draft, start, end);
  if (!made) {
    say("A span needs at least one character or moment; it stays as it is.");
    return;
  }
  setDraft(made);
  state.edge = position;
  emit("edge");
  say(`${edge} ${edgeWord(edge)}`);
};

/** @param {"start" | "end"} edge */
const edgeWord = (edge) => {
  const span = current(state.draft);
  if (!span) return "";
  const position = edge === "start" ? span[0] : span[1];
  if (!parts.task?.view.text) return placeWord(position);
  const beside = edge === "start" ? quoteOf(parts.task, position, position + 16) : quoteOf(parts.task, position - 16, position);
  return `${position}, ${edge === "start" ? "before" : "after"} ${short(beside, 20)}`;
};

/** Places inside the current span at which somebody cut, with something to read on both sides. */
const cuts = () => {
  const span = current(state.draft);
  if (!span || !state.site) return [];
  /** @type {[number, number][]} */
  const found = [];
  for (const reading of state.site.readings) {
    reading.spans.forEach((/** @type {any} */ one, /** @type {number} */ at) => {
      const next = reading.spans[at + 1];
      if (next && one[1] > span[0] && next[0] < span[1] && one[1] <= next[0]) found.push([one[1], next[0]]);
      else if (!next && one[1] > span[0] && one[1] < span[1]) found.push([one[1], one[1]]);
      if (at === 0 && one[0] > span[0] && one[0] < span[1]) found.push([one[0], one[0]]);
    });
  }
  return found.filter((place) => {
    const [left, right] = trimmed(place);
    return span[0] < left && right < span[1];
  });
};

/** A cut without the spaces at it. @param {[number, number]} place @returns {[number, number]} */
const trimmed = ([left, right]) => {
  if (!parts.task?.view.text) return [left, right];
  const piece = pieceAround(parts.task, left);
  const points = [...piece.text];
  const isSpace = (/** @type {number} */ at) => /^\s$/.test(points[at - piece.start] ?? "x");
  let [low, high] = [left, right];
  while (isSpace(low - 1)) low -= 1;
  while (isSpace(high)) high += 1;
  return [low, high];
};

/** Cut at the caret, where somebody cut, or at the word nearest to the middle. @param {number | null} caret */
export const cut = (caret) => {
  const span = editable();
  if (!span) return say("There is no span to split.");
  let place = caret !== null && caret > span[0] && caret < span[1] ? /** @type {[number, number]} */ ([caret, caret]) : cuts()[0];
  if (!place && parts.task?.view.text) {
    const piece = pieceAround(parts.task, span[0]);
    const middle = (span[0] + span[1]) / 2;
    const inside = boundaries(piece.text, "word", "end").map((one) => one + piece.start).filter((one) => one > span[0] && one < span[1]);
    const nearest = inside.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
    const right = nearest ? boundaries(piece.text, "word", "start").map((one) => one + piece.start).find((one) => one >= nearest) : 0;
    if (nearest && right && right < span[1]) place = [nearest, right];
  }
  if (!place) place = [Math.round((span[0] + span[1]) / 2), Math.round((span[0] + span[1]) / 2)];
  const made = split(state.draft, ...trimmed(place));
  if (!made) return say("This span is too short to split.");
  setDraft(made);
  return say(`Split at ${placeWord(place[0])}. Not saved yet.`);
};

/** Join with the next span of the draft, else with a neighbour's, which is not changed. */
export const joinNext = () => {
  const span = editable();
  if (!span || !state.site) return say("There is no span to join.");
  const after = [...state.site.readings, ...state.site.neighbours].flatMap((/** @type {any} */ one) => one.spans)
    .filter((/** @type {any} */ one) => one[0] >= span[1]).sort((/** @type {any} */ a, /** @type {any} */ b) => a[0] - b[0])[0];
  const own = state.draft.spans[state.draft.at + 1];
  const made = join(state.draft, after);
  if (!made) return say("There is no next span near enough to join.");
  setDraft(made);
  return say(own ? "Joined. Not saved yet." : "Joined with the next span; its own place is not changed. Not saved yet.");
};

/** Add what is selected: to this site where it touches it, else as a span that nobody marked. */
export const addSelected = async () => {
  const { site, selection } = state;
  if (!site) return;
  const label = current(state.draft)?.[2] ?? site.readings[0]?.spans[0]?.[2] ?? state.project.labels[0];
  const place = selection ?? nextWord();
  if (!place) {
    say("Select text or time first.");
    return;
  }
  const low = Math.min(site.start, ...state.draft.spans.map((span) => span[0]));
  const high = Math.max(site.end, ...state.draft.spans.map((span) => span[1]));
  if (!selection || (place[0] < high && place[1] > low)) {
    setDraft(add(state.draft, [place[0], place[1], label]));
    say(`Added ${placeWord(place[0])} to ${placeWord(place[1])}. Not saved yet.`);
    return;
  }
  const event = { op: "settle", task: site.task, spans: [[place[0], place[1], label]], how: "add", via: "browse" };
  const reply = await send(event);
  if (!reply) return;
  forgetTasks();
  state.last = { site: reply.site, say: `${site.task}: added ${label} ${placeWord(place[0])}–${placeWord(place[1])}` };
  emit("last");
  void parts.queue?.renew();
  const kept = state.draft;
  await showSite(site, state.via);
  if (kept.choice === "own") setDraft(kept);
  say(`Saved: a span that nobody marked, ${short(label, 40)} ${placeWord(place[0])} to ${placeWord(place[1])}.`);
};

/** Without a selection: the word, or the second, after the current span. @returns {[number, number] | null} */
const nextWord = () => {
  const from = current(state.draft)?.[1] ?? state.site?.end ?? 0;
  const [, high] = bounds();
  if (!parts.task?.view.text) {
    const size = isTime() ? 500 : 1;
    return from + size <= high ? [from, from + size] : null;
  }
  const piece = pieceAround(parts.task, from);
  const start = stepText(piece, from - 1, 1, "word", "start");
  const end = start === null ? null : stepText(piece, start, 1, "word", "end");
  return start !== null && end !== null ? [start, end] : null;
};

/** The sliders of both ends, and the spans of an answer with several. */
export const showEdges = () => {
  const span = current(state.draft);
  const [low, high] = bounds();
  for (const edge of /** @type {const} */ (["start", "end"])) {
    const slider = byId(edge);
    const value = span ? (edge === "start" ? span[0] : span[1]) : 0;
    put(edge, span ? placeWord(value) : "–");
    slider.setAttribute("aria-valuemin", String(low));
    slider.setAttribute("aria-valuemax", String(Number.isFinite(high) ? high : Math.max(value, 1)));
    slider.setAttribute("aria-valuenow", String(value));
    slider.setAttribute("aria-valuetext", span ? `${edge} ${edgeWord(edge)}` : "no span");
  }
  put("by-word-name", isTime() ? "by 100 ms" : "by word");
  const box = byId("spans");
  box.hidden = state.draft.spans.length < 2;
  box.replaceChildren(...(box.hidden ? [] : state.draft.spans.map((one, at) => {
    const button = make("button", { type: "button", class: `chip ${colourClass(one[2])}`, "aria-pressed": String(at === state.draft.at) }, `${at + 1}: ${short(one[2], 20)} ${placeWord(one[0])}–${placeWord(one[1])}`);
    button.addEventListener("click", () => {
      setDraft({ ...state.draft, at });
    });
    return button;
  })));
};

/** Sliders move with arrows: earlier and later, whatever the direction of the text. */
export const bindSliders = () => {
  for (const edge of /** @type {const} */ (["start", "end"])) {
    byId(edge).addEventListener("keydown", (event) => {
      const later = ["ArrowRight", "ArrowUp"].includes(event.key);
      const large = event.shiftKey || event.key.startsWith("Page");
      if (later || ["ArrowLeft", "ArrowDown"].includes(event.key)) moveEdge(edge, later ? 1 : -1, large);
      else if (event.key === "PageUp") moveEdge(edge, 1, true);
      else if (event.key === "PageDown") moveEdge(edge, -1, true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
};
