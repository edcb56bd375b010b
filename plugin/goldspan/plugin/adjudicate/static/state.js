// @ts-check
/* State: one object, and who wants to know when a part of it changes. */

/** @typedef {import("./draft.js").Draft} Draft */

export const state = {
  /** @type {any} */
  project: null,
  /** @type {any} the site on the screen, null when there is none */
  site: null,
  /** @type {Draft} */
  draft: { choice: "", spans: [], at: 0, how: "" },
  /** @type {boolean} the draft came back from before a reload */
  restored: false,
  /** @type {[number, number] | null} text or time that is selected */
  selection: null,
  /** @type {any} what part of the queue is shown */
  query: { order: "value", kind: "", label: "", annotator: "", task: "", state: "", noted: false, find: "" },
  undo: "",
  redo: "",
  /** @type {{ site: string, say: string } | null} */
  last: null,
  busy: false,
  gone: false,
  /** when the site appeared, in milliseconds */
  shownAt: 0,
  via: "",
  /** the boundary that was moved last */
  edge: 0,
  hideNames: false,
  mirrored: false,
  /** @type {string[]} labels that were used last */
  recent: [],
};

/** @typedef {"project" | "leaving" | "site" | "draft" | "progress" | "queue" | "names" | "busy" | "last" | "shown" | "edge"} Topic
 * @type {Map<Topic, (() => void)[]>} */
const listeners = new Map();

/** @param {Topic} topic @param {() => void} listener */
export const on = (topic, listener) => {
  listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
};

/** @param {Topic[]} topics */
export const emit = (...topics) => {
  for (const topic of topics) for (const listener of listeners.get(topic) ?? []) listener();
};

const DRAFT = "goldspan.draft";
const PLACE = "goldspan.place";

/** Keep the draft for a reload, or forget it. */
export const keepDraft = () => {
  const { site, draft } = state;
  if (site && draft.choice === "own") {
    sessionStorage.setItem(DRAFT, JSON.stringify({ site: site.id, base: site.base, draft }));
  } else sessionStorage.removeItem(DRAFT);
};

/** The draft that was kept for a site, if nothing has happened there since. @param {any} site @returns {Draft | null} */
export const keptDraft = (site) => {
  const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  return kept && kept.site === site.id && kept.base === site.base ? kept.draft : null;
};

/** The draft of a site is stored. @param {string} id */
export const forgetDraft = (id) => {
  if (JSON.parse(sessionStorage.getItem(DRAFT) ?? "null")?.site === id) sessionStorage.removeItem(DRAFT);
};

export const keepPlace = () =>
  sessionStorage.setItem(PLACE, JSON.stringify({ site: state.site?.id ?? "", query: state.query }));

/** @returns {{ site: string, query: any } | null} */
export const keptPlace = () => JSON.parse(sessionStorage.getItem(PLACE) ?? "null");

/** @param {import("./draft.js").Draft} draft */
export const setDraft = (draft) => {
  state.draft = draft;
  keepDraft();
  emit("draft");
};

/** A setting of this browser. @param {string} name @param {any} otherwise */
export const setting = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(`goldspan.${name}`) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
};

/** @param {string} name @param {any} value */
export const keepSetting = (name, value) => localStorage.setItem(`goldspan.${name}`, JSON.stringify(value));

/** The category of a label in the report's colours. @param {string} label */
export const colour = (label) => {
  const at = state.project?.labels.indexOf(label) ?? -1;
  return at < 0 ? 7 : at;
};

/** @param {string} label */
export const colourClass = (label) => {
  const at = colour(label);
  return `c${at % 8}${at >= 8 ? " again" : ""}`;
};

const HASH = 16777619;

/** @param {string} text */
const scramble = (text) => {
  let found = 2166136261;
  for (const point of text) found = Math.imul(found ^ (point.codePointAt(0) ?? 0), HASH) >>> 0;
  return found;
};

/** What an annotator is called on the page; an alias that changes from site to site while names are
 * hidden. @param {string} name */
export const annotatorName = (name) => {
  if (!state.hideNames || state.project?.blind) return name || "(no name)";
  const names = [...(state.project?.annotators ?? [])];
  const key = state.site?.id ?? "";
  names.sort((a, b) => scramble(key + a) - scramble(key + b) || (a < b ? -1 : 1));
  const at = names.indexOf(name);
  return at < 0 ? "A?" : `A${at + 1}`;
};
