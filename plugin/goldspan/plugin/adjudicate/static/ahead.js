// @ts-check
/* Ahead: sites that the next key may lead to, asked for while the person reads, so that a key is
   answered without a call. */

import { get } from "./api.js";
import { state } from "./state.js";
import { loadTask } from "./tasks.js";

/** @typedef {{ following: (id: string, direction: number) => string }} List */

const STEPS = [1, -1, 2, 3, -2];
const MOST_VIEWS = 40;

/** @type {Map<string, any>} sites beside those that were on the screen */
const views = new Map();
/** What the server's queue gives when a site is settled. @type {{ id: string, then: any }} */
let foreseen = { id: "", then: null };
let turn = 0;
/** @type {List | null} */
let list = null;

/** @param {List} given  the list that next and previous follow */
export const followList = (given) => {
  list = given;
};

/** What comes when a site is settled; null if that is not known. @param {string} id */
export const ahead = (id) => (foreseen.id === id ? foreseen.then : null);

/** A site as it was a moment ago, if it is here. @param {string} id */
export const viewOf = (id) => views.get(id) ?? null;

/** Something happened at a site. @param {string} id */
export const forgetView = (id) => {
  views.delete(id);
  if (foreseen.then?.id === id) foreseen = { id: "", then: null };
};

/** Anything may have happened anywhere. */
export const forgetViews = () => {
  views.clear();
  foreseen = { id: "", then: null };
};

/** The sites beside one in the list. @param {string} id */
const beside = (id) => {
  /** @type {string[]} */
  const found = [];
  for (const step of STEPS) {
    let at = id;
    for (let left = Math.abs(step); at && left; left -= 1) at = list?.following(at, Math.sign(step)) ?? "";
    if (at && at !== id && !views.has(at)) found.push(at);
  }
  return found;
};

/** Ask for what may come after the site on the screen.
 * @param {() => Promise<boolean>} ready  waits for the event under way, after which other things may come
 * @param {(site: any) => void} refresh  takes the site on the screen as it is now */
export const lookAhead = async (ready, refresh) => {
  turn += 1;
  const own = turn;
  const { site } = state;
  if (!site) return;
  foreseen = { id: "", then: null };
  await new Promise((done) => setTimeout(done));
  if (!await ready() || own !== turn) return;
  try {
    const found = await get(`/api/sites/${site.id}/ahead`, { ...state.query, beside: beside(site.id).join(",") });
    if (own !== turn) return;
    if (views.size > MOST_VIEWS) views.clear();
    for (const one of found.beside) views.set(one.id, one);
    foreseen = { id: site.id, then: found.then };
    refresh(found.site);
    for (const one of [found.then, ...found.beside]) if (one) await loadTask(one.n, one.start, one.end);
  } catch { /* the next key asks by itself, and says what is wrong */ }
};
