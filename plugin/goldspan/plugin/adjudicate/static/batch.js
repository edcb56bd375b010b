// @ts-check
/* Batch: places that are alike, accepted in one go, with a list of what that would be. */

import { get, post } from "./api.js";
import { make } from "./lanes.js";
import { fail, parts, send, showSite } from "./actions.js";
import { closeDialog, openDialog } from "./dialogs.js";
import { byId, say } from "./messages.js";
import { colourClass, emit, state } from "./state.js";
import { forgetTasks } from "./tasks.js";
import { percent, placeWord, short } from "./words.js";

const SHOWN_GROUPS = 8;
const MUST_SEE = 3;

/** @type {{ plan: any, seen: Set<number>, watcher: IntersectionObserver | null }} */
const open = { plan: null, seen: new Set(), watcher: null };

/** The list of groups beside the queue. */
export const showGroups = async () => {
  try {
    const { groups } = await get("/api/groups");
    const box = byId("groups");
    box.hidden = !groups.length;
    const rows = groups.slice(0, SHOWN_GROUPS).map((/** @type {any} */ group) => {
      const row = make("button", { type: "button", class: "group-row" });
      row.append(make("bdi", {}, short(group.say, 60)), make("span", { class: "count" }, String(group.size)));
      row.addEventListener("click", () => void openBatch(group.key));
      return row;
    });
    const more = groups.length > SHOWN_GROUPS ? [make("p", { class: "soft" }, `and ${groups.length - SHOWN_GROUPS} more groups`)] : [];
    box.replaceChildren(make("h2", {}, "Groups"), ...rows, ...more);
  } catch { /* the queue says it */ }
};

/** @param {string} key */
export const openBatch = async (key) => {
  if (!key) {
    say("Nothing else is like this one.");
    return;
  }
  try {
    open.plan = await post("/api/batch", { group: key });
  } catch (error) {
    fail(error);
    return;
  }
  const { plan } = open;
  byId("batch-title").textContent = `${plan.items.length} like this`;
  byId("batch-say").textContent = `${plan.say}. Untick what is not to be accepted; one undo takes all of it back.`;
  byId("batch-list").replaceChildren(...plan.items.map(row));
  openDialog("dialog-batch");
  watch();
  count();
  byId("batch-list").focus();
};

/** @param {any} item @param {number} at */
const row = (item, at) => {
  const label = make("label", { class: "batch-item" });
  const box = make("input", { type: "checkbox", "data-at": at });
  /** @type {HTMLInputElement} */ (box).checked = true;
  box.addEventListener("change", count);
  const line = make("span", { class: "line", dir: "auto" });
  const mark = make("mark", {});
  mark.append(make("bdi", {}, short(item.quote, 80)));
  const before = item.before.length > 40 ? `…${item.before.slice(-40)}` : item.before;
  const after = item.after.length > 40 ? `${item.after.slice(0, 40)}…` : item.after;
  if (item.quote) line.append(short(before, 44), mark, short(after, 44));
  else line.append(item.spans.map((/** @type {any} */ one) => `${placeWord(one[0])}–${placeWord(one[1])}`).join(", "));
  const what = make("span", { class: "batch-what" });
  item.spans.forEach((/** @type {any} */ span) => {
    const chip = make("span", { class: `label ${colourClass(span[2])}` });
    chip.append(make("bdi", {}, short(span[2], 30)));
    what.append(chip, " ");
  });
  if (!item.spans.length) what.append("nothing here");
  label.append(box, line, what, make("span", { class: "soft" }, `${short(item.task, 30)} · ${percent(1 - item.p)}`));
  return label;
};

/** The first three have to be seen before they can be accepted. */
const watch = () => {
  open.seen = new Set();
  open.watcher?.disconnect();
  const root = byId("batch-list");
  open.watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) open.seen.add([...root.children].indexOf(entry.target));
    }
    count();
  }, { root, threshold: 0.6 });
  [...root.children].slice(0, MUST_SEE).forEach((one) => open.watcher?.observe(one));
};

const ticked = () => [...byId("batch-list").querySelectorAll("input:checked")].map((one) => Number(/** @type {HTMLElement} */ (one).dataset.at));

const count = () => {
  const button = /** @type {HTMLButtonElement} */ (byId("batch-accept"));
  const number = ticked().length;
  const least = Math.min(MUST_SEE, open.plan?.items.length ?? 0);
  button.textContent = `Accept ${number}`;
  button.disabled = number === 0 || open.seen.size < least;
};

const acceptAll = async () => {
  const { plan } = open;
  const chosen = ticked().map((at) => plan.items[at]);
  const items = chosen.map((one) => ({ site: one.site, base: one.base, spans: one.spans }));
  const reply = await send({ op: "batch", items, via: "batch" });
  if (!reply) return;
  closeDialog("dialog-batch");
  forgetTasks();
  state.last = { site: "", say: `${items.length} accepted: ${short(plan.say, 60)}` };
  emit("last");
  await parts.queue?.renew();
  await showSite(reply.next[0] ?? null);
  void showGroups();
  say(`${items.length} accepted in one go. z takes them back.`);
};

export const bindBatch = () => {
  byId("batch-accept").addEventListener("click", () => void acceptAll());
  const tick = (/** @type {boolean} */ on) => {
    for (const one of byId("batch-list").querySelectorAll("input")) one.checked = on;
    count();
  };
  byId("batch-all").addEventListener("click", () => tick(true));
  byId("batch-none").addEventListener("click", () => tick(false));
};
