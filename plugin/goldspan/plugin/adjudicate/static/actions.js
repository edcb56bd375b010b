// @ts-check
/* Actions: what changes the site on the screen, the draft, and the journal. A decision is shown as
   done when the server has stored it, never before. */

import { Gone, Refused, get, newId, patiently, record } from "./api.js";
import { choose, firstDraft } from "./draft.js";
import { alarm, byId, say } from "./messages.js";
import { emit, keepPlace, keptDraft, setDraft, state } from "./state.js";
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
  return undefined;
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
};

/** Store an event; null if it was refused. One at a time. @param {Record<string, any>} event */
export const send = async (event) => {
  if (state.busy) return null;
  state.busy = true;
  emit("busy");
  try {
    const reply = await record({ id: newId(), ...event }, state.query, (tries) => {
      state.gone = true;
      emit("busy");
      if (tries === 2) alarm("Not saved yet: the server does not answer. Trying again.");
    });
    alarm("");
    takeReply(reply);
    emit("progress");
    return reply;
  } catch (error) {
    fail(error);
    if (error instanceof Refused && error.site) {
      const kept = state.draft;
      await showSite(error.site, state.via);
      if (kept.choice === "own") setDraft(kept);
    }
    if (error instanceof Refused && error.status === 410) void parts.queue?.renew();
    return null;
  } finally {
    state.busy = false;
    state.gone = false;
    emit("busy");
  }
};

/** Where to go after an answer: on in the list, or to what the server puts first. Until then the site
 * on the screen is out of date, and nothing can be decided.
 * @param {any} reply @param {string} id  the site that was answered */
const goOn = async (reply, id) => {
  const first = reply.next[0] ?? null;
  const following = parts.queue?.following(id, 1) ?? "";
  const wasFirst = !parts.queue?.following(id, -1);
  parts.queue?.answered(id, reply.state);
  state.busy = true;
  try {
    if (isPlainQueue() && (first?.via === "audit" || wasFirst || !following)) await showSite(first);
    else if (following) {
      const known = reply.next.find((/** @type {any} */ one) => one.id === following);
      await (known ? showSite(known) : openSite(following, state.query.state ? "browse" : ""));
    } else if (!state.query.state) await showSite(first);
  } finally {
    state.busy = false;
  }
  announceNext();
  for (const other of reply.next.slice(1)) void loadTask(other.n, other.start, other.end).catch(() => undefined);
};

const announceNext = () => {
  const { site } = state;
  const total = parts.queue?.total ?? 0;
  if (!site) say("Saved. Nothing is left to decide here.");
  else say(`Saved. ${total} left. ${site.kinds.join(", ")}: ${site.quote || site.task}`);
};

/** Store the draft as the answer. */
export const accept = async () => {
  const { site, draft } = state;
  if (!site || state.busy) return;
  if (draft.choice === "") {
    say("Choose a reading first, or d for nothing here: the suggestion is hidden until you answer.");
    return;
  }
  const event = {
    op: "settle", site: site.id, spans: draft.spans, how: draft.how, base: site.base, via: state.via,
    ms: Math.round(performance.now() - state.shownAt),
    ...(typeof draft.choice === "number" ? { reading: draft.choice } : {}),
  };
  const reply = await send(event);
  if (!reply) return;
  state.recent = [...new Set([...draft.spans.map((span) => span[2]), ...state.recent])].slice(0, 5);
  state.last = { site: site.id, say: `${site.task}: ${describeSpans(draft.spans)}` };
  sessionStorage.removeItem("goldspan.draft");
  emit("last");
  await goOn(reply, site.id);
};

/** @param {import("./draft.js").Choice} choice */
export const pick = (choice) => {
  if (!state.site) return;
  if (choice === "suggestion" && state.site.suggestion === null) return;
  setDraft(choose(state.site, choice));
};

/** Choose and accept in one stroke. @param {import("./draft.js").Choice} choice */
export const take = async (choice) => {
  if (!state.site || state.busy) return;
  pick(choice);
  if (state.draft.choice === choice) await accept();
  else say(`There is no reading ${choice} here.`);
};

export const skip = async () => {
  const { site } = state;
  if (!site) return;
  const reply = await send({ op: "skip", site: site.id, base: site.base, via: state.via });
  if (!reply) return;
  state.last = { site: site.id, say: `${site.task}: skipped` };
  emit("last");
  await goOn(reply, site.id);
};

/** @param {boolean} again  redo instead */
export const undo = async (again) => {
  if (again && !state.redo) {
    say("There is nothing to redo.");
    return;
  }
  const reply = await send({ op: "undo", ...(again ? { target: state.redo } : {}) });
  if (!reply) return;
  if (!reply.site) forgetTasks();
  state.last = null;
  emit("last");
  await parts.queue?.renew();
  const shown = reply.site && reply.state ? await reopenAt(reply.site) : false;
  if (!shown) await showSite(reply.next[0] ?? null);
  say(again ? "Done again." : "Undone.");
};

/** @param {string} id */
const reopenAt = async (id) => {
  try {
    await showSite(await get(`/api/sites/${id}`));
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) fail(error);
    return false;
  }
};

export const reopen = async () => {
  const { site } = state;
  if (!site) return;
  if (!await send({ op: "reopen", site: site.id, base: site.base, via: "browse" })) return;
  await parts.queue?.renew();
  await openSite(site.id);
  say("Reopened.");
};

/** @param {number} direction */
export const step = async (direction) => {
  const id = parts.queue?.following(state.site?.id ?? "", direction);
  if (id) await openSite(id, state.query.state ? "browse" : "");
  else say(direction > 0 ? "This is the last one." : "This is the first one.");
};
