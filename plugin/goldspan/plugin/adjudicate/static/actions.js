// @ts-check
/* Actions: what changes the site on the screen, the draft, and the journal. The page goes on at once
   to what it asked for ahead, but a decision is shown as done when the server has stored it, never
   before; if it cannot be stored, the page goes back. */

import { ahead, forgetView, lookAhead, viewOf } from "./ahead.js";
import { Gone, Refused, get, newId, patiently, record } from "./api.js";
import { choose, firstDraft } from "./draft.js";
import { alarm, byId, say } from "./messages.js";
import { emit, forgetDraft, keepPlace, keptDraft, setDraft, state } from "./state.js";
import { forgetTasks, loadTask, markSite } from "./tasks.js";
import { describeSpans } from "./words.js";

/** @type {{ queue: import("./queue.js").QueueList | null, task: any }} */
export const parts = { queue: null, task: null };

/** Whether the queue is the one that goldspan proposes. */
export const isPlainQueue = () => {
  const { order, noted, ...filters } = state.query;
  return order === "value" && !noted && Object.values(filters).every((one) => one === "");
};

let turn = 0;

/** @typedef {{ site: any, draft: import("./draft.js").Draft, via: string }} Place */

/** The place on the screen. @returns {Place} */
const here = () => ({ site: state.site, draft: state.draft, via: state.via });

/** @type {Promise<unknown>} the event under way, with what stands on the screen meanwhile */
let flight = Promise.resolve();

/** Wait for the event under way. False if the server is away, or if then another site stands on the
 * screen than the one that the key was meant for. */
export const ready = async () => {
  const meant = state.site?.id;
  while (state.busy) {
    if (state.gone) return false;
    await flight;
  }
  return state.site?.id === meant;
};

const KEPT_PLACES = 50;
/** @type {Map<string, Place>} where the last decisions were made, by their events */
const decided = new Map();

/** The server is away; the place on the screen may be out of date, so keys wait.
 * @param {number} tries */
const lost = (tries) => {
  if (tries !== 2) return;
  alarm("The server does not answer. Nothing is lost; trying again.");
  byId("alert").dataset.from = "changes";
};

/** Show a site. @param {any} site @param {string} [via]  how the person came here, if by hand */
export const showSite = async (site, via = "") => {
  turn += 1;
  const own = turn;
  if (site?.id !== state.site?.id) emit("leaving");
  let task = null;
  if (site) {
    try {
      task = await patiently(() => loadTask(site.n, site.start, site.end), lost);
    } catch (error) {
      return fail(error);
    }
    if (own !== turn) return undefined;
  }
  parts.task = task;
  state.site = site;
  state.selection = null;
  state.via = site ? (site.via === "audit" ? "audit" : via || site.via) : "";
  const kept = site ? keptDraft(site) : null;
  state.restored = kept !== null;
  state.draft = kept ?? (site ? firstDraft(site) : { choice: "", spans: [], at: 0, how: "" });
  state.shownAt = performance.now();
  keepPlace();
  emit("site", "draft", "shown");
  void lookAhead(ready, refresh);
  return undefined;
};

/** What a person would see of a site. @param {any} site */
const visible = (site) => {
  const { p, value, pi, group, group_size, neighbours, ...rest } = site;
  return JSON.stringify(rest);
};

/** The site on the screen as the server has it now: shown again only if something else is to be seen.
 * @param {any} site */
const refresh = (site) => {
  if (site.id !== state.site?.id) return;
  if (visible(site) === visible(state.site)) {
    Object.assign(state.site, { group: site.group, group_size: site.group_size, neighbours: site.neighbours });
    return;
  }
  const { draft, shownAt, via } = { draft: state.draft, shownAt: state.shownAt, via: state.via };
  void showSite(site, via).then(() => {
    if (state.site !== site) return;
    state.shownAt = shownAt;
    if (draft.choice === "own") setDraft(draft);
  });
};

/** @param {string} id @param {string} [via] */
export const openSite = async (id, via = "browse") => {
  try {
    await showSite(await patiently(() => get(`/api/sites/${id}`), lost), via);
  } catch (error) {
    fail(error);
  }
};

/** Say what went wrong. @param {unknown} error */
export const fail = (error) => {
  if (error instanceof Gone) alarm("Not saved yet: the server does not answer. Trying again.");
  else alarm(error instanceof Error ? error.message : String(error));
};

/** Take what an answer to an event brings. @param {any} reply */
export const takeReply = (reply) => {
  state.undo = reply.undo;
  state.redo = reply.redo;
  Object.assign(state.project, {
    progress: reply.progress, stop: reply.stop, kinds: reply.kinds, revision: reply.revision,
  });
  if (reply.site && reply.state) markSite(reply.site, reply.state);
  if (reply.site) forgetView(reply.site);
};

/** Store an event; null if it was refused. One at a time.
 * @param {Record<string, any>} event @param {Place} [from]  where the page goes back to if it is refused
 * @param {() => Promise<unknown>} [meanwhile]  what is shown until it is stored
 * @param {(reply: any) => Promise<unknown>} [after]  what is shown then, before another event can be sent */
export const send = async (event, from = here(), meanwhile = nothing, after = nothing) => {
  while (state.busy) {
    if (state.gone) return null;
    await flight;
  }
  state.busy = true;
  emit("busy");
  const found = store({ id: newId(), ...event }, from, meanwhile, after).finally(() => {
    state.busy = false;
    state.gone = false;
    emit("busy");
  });
  flight = found;
  return found;
};

const nothing = async () => undefined;

/** @param {Record<string, any>} event @param {Place} from @param {() => Promise<unknown>} meanwhile
 * @param {(reply: any) => Promise<unknown>} after */
const store = async (event, from, meanwhile, after) => {
  const stored = record(event, state.query, (tries) => {
    state.gone = true;
    emit("busy");
    if (tries === 2) alarm("Not saved yet: the server does not answer. Trying again.");
  });
  const shown = meanwhile();
  try {
    const reply = await stored;
    alarm("");
    takeReply(reply);
    state.gone = false;
    emit("progress");
    await shown;
    await after(reply);
    return reply;
  } catch (error) {
    fail(error);
    await shown;
    const changed = error instanceof Refused ? error.site : null;
    if (changed || (from.site && state.site?.id !== from.site.id)) {
      await showSite(changed ?? from.site, from.via);
      if (!changed || from.draft.choice === "own") setDraft(from.draft);
    }
    if (error instanceof Refused && error.status === 410) void parts.queue?.renew();
    return null;
  }
};

/** What comes after a decision, as far as the page has it: on in the list, or what the server puts first.
 * @param {string} id  the site that is decided @param {string} op @returns {{ site: any, via: string } | null} */
const nextHere = (id, op) => {
  const { queue } = parts;
  const following = queue?.following(id, 1) ?? "";
  if (isPlainQueue()) {
    const then = ahead(id);
    if (!then || (op === "skip" && then.via === "audit")) return null;
    if (then.via === "audit" || !following || !queue?.following(id, -1)) return { site: then, via: "" };
  }
  const site = following ? viewOf(following) : null;
  return site ? { site, via: state.query.state ? "browse" : "" } : null;
};

/** Decide the site on the screen, and go on. @param {Record<string, any>} event @param {string} words */
const decide = async (event, words) => {
  const from = here();
  const next = nextHere(from.site.id, event.op);
  if (next) emit("leaving");
  const meanwhile = async () => {
    parts.queue?.store(from.site.id);
    if (next) await showSite(next.site, next.via);
    else emit("draft");
  };
  const reply = await send(event, from, meanwhile, async (reply) => {
    parts.queue?.store("");
    decided.set(reply.id, from);
    if (decided.size > KEPT_PLACES) decided.delete(/** @type {string} */ (decided.keys().next().value));
    state.last = { site: from.site.id, say: words };
    forgetDraft(from.site.id);
    emit("last");
    await (next ? goneOn(reply, from.site.id, next.site.id) : goOn(reply, from.site.id));
    announceNext();
  });
  if (!reply) parts.queue?.store("");
};

/** The page went on before the answer came: take the answered site out of the list, and take a random
 * check that is due. @param {any} reply @param {string} id  the site that was answered
 * @param {string} shown  what the page went on to */
const goneOn = async (reply, id, shown) => {
  const first = reply.next[0] ?? null;
  parts.queue?.answered(id, reply.state);
  const due = isPlainQueue() && first?.via === "audit" && first.id !== shown;
  if (due && state.site?.id === shown && state.draft.choice !== "own") await showSite(first);
  else emit("queue");
};

/** Where to go after an answer: on in the list, or to what the server puts first.
 * @param {any} reply @param {string} id  the site that was answered */
const goOn = async (reply, id) => {
  const first = reply.next[0] ?? null;
  const following = parts.queue?.following(id, 1) ?? "";
  const wasFirst = !parts.queue?.following(id, -1);
  parts.queue?.answered(id, reply.state);
  const via = state.query.state ? "browse" : "";
  if (isPlainQueue() && (first?.via === "audit" || wasFirst || !following)) await showSite(first);
  else if (following) {
    const known = reply.next.find((/** @type {any} */ one) => one.id === following) ?? viewOf(following);
    await (known ? showSite(known, via) : openSite(following, via));
  } else if (!state.query.state) await showSite(first);
};

const announceNext = () => {
  const { site } = state;
  const total = parts.queue?.total ?? 0;
  if (!site) say("Saved. Nothing is left to decide here.");
  else say(`Saved. ${total} left. ${site.kinds.join(", ")}: ${site.quote || site.task}`);
};

/** Store the draft as the answer. */
export const accept = async () => {
  if (!await ready()) return;
  const { site, draft } = state;
  if (!site) return;
  if (draft.choice === "") {
    say("Choose a reading first, or d for nothing here: the suggestion is hidden until you answer.");
    return;
  }
  state.recent = [...new Set([...draft.spans.map((span) => span[2]), ...state.recent])].slice(0, 5);
  await decide({
    op: "settle", site: site.id, spans: draft.spans, how: draft.how, base: site.base, via: state.via,
    ms: Math.round(performance.now() - state.shownAt),
    ...(typeof draft.choice === "number" ? { reading: draft.choice } : {}),
  }, `${site.task}: ${describeSpans(draft.spans)}`);
};

/** @param {import("./draft.js").Choice} choice */
export const pick = (choice) => {
  if (!state.site) return;
  if (choice === "suggestion" && state.site.suggestion === null) return;
  setDraft(choose(state.site, choice));
};

/** Choose and accept in one stroke. @param {import("./draft.js").Choice} choice */
export const take = async (choice) => {
  if (!await ready() || !state.site) return;
  const chosen = choose(state.site, choice);
  if (chosen.choice !== choice) {
    say(`There is no reading ${choice} here.`);
    return;
  }
  state.draft = chosen;
  await accept();
};

export const skip = async () => {
  if (!await ready() || !state.site) return;
  const { site } = state;
  await decide({ op: "skip", site: site.id, base: site.base, via: state.via }, `${site.task}: skipped`);
};

/** @param {boolean} again  redo instead */
export const undo = async (again) => {
  if (!await ready()) return;
  if (again && !state.redo) {
    say("There is nothing to redo.");
    return;
  }
  const before = again ? undefined : decided.get(state.undo);
  const meanwhile = async () => {
    if (before) await showSite(before.site, before.via);
  };
  const reply = await send({ op: "undo", ...(again ? { target: state.redo } : {}) }, here(), meanwhile, async (reply) => {
    if (!reply.site) forgetTasks();
    state.last = null;
    emit("last");
    if (!reply.shown) await showSite(reply.next[0] ?? null);
    else if (before && before.site.id === reply.shown.id) refresh(reply.shown);
    else await showSite(reply.shown);
  });
  if (!reply) return;
  await parts.queue?.renew();
  say(again ? "Done again." : "Undone.");
};

export const reopen = async () => {
  const { site } = state;
  if (!site) return;
  const reply = await send({ op: "reopen", site: site.id, base: site.base, via: "browse" });
  if (!reply) return;
  await parts.queue?.renew();
  await showSite(reply.shown, "browse");
  say("Reopened.");
};

/** @param {number} direction */
export const step = async (direction) => {
  const id = parts.queue?.following(state.site?.id ?? "", direction);
  const via = state.query.state ? "browse" : "";
  const known = id ? viewOf(id) : null;
  if (known) await showSite(known, via);
  else if (id) await openSite(id, via);
  else say(direction > 0 ? "This is the last one." : "This is the first one.");
};
