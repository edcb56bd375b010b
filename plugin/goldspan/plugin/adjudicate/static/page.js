// @ts-check
/* The page: puts the parts together and starts. */

import { followList } from "./ahead.js";
import { Gone, Refused, get, pending, record, takeKey } from "./api.js";
import { fail, openSite, parts, pick, showSite, take, takeReply } from "./actions.js";
import { bindBatch, showGroups } from "./batch.js";
import { commands, discard } from "./commands.js";
import { bindDialogs, isDialogOpen } from "./dialogs.js";
import { bindSliders, showEdges } from "./editing.js";
import { bindFind } from "./find.js";
import { Keys } from "./keys.js";
import { LabelChooser, labelNumber, showLabels } from "./labels.js";
import { MediaPane } from "./media.js";
import { alarm, byId, put } from "./messages.js";
import { bindNotes } from "./notes.js";
import { followChanges, showProgress, showSaving } from "./overview.js";
import { QueueList, bindFilters } from "./queue.js";
import { Readings } from "./readings.js";
import { bindSelecting } from "./selecting.js";
import { SiteLanes, readingOf } from "./site_lanes.js";
import { keepPlace, keepSetting, keptPlace, on, setting, state } from "./state.js";
import { bindStrip, showStrip } from "./strip.js";
import { TextPane } from "./text.js";
import { QUESTIONS, STATES, describeSpans, isTime, placeWord, short, time } from "./words.js";

const readings = new Readings();
const text = new TextPane(byId("text"), (unit) => {
  const number = readingOf(unit, parts.task?.who ?? []);
  if (number) pick(number);
  readings.focus();
});
const lanes = new SiteLanes();
const media = new MediaPane(lanes);
const queue = new QueueList();
const labels = new LabelChooser();
parts.queue = queue;
followList(queue);
/** @type {Keys} */
let keys;

/** What there is to say of a site beside its readings. @param {any} site */
const siteNotice = (site) => {
  const [, word] = STATES[site.state] ?? ["", site.state];
  const answers = site.answers.map((/** @type {any} */ one) => `${one.by}: ${describeSpans(one.spans)} (${one.how}, ${time(one.when)})`).join("; ");
  return [
    site.state === "open" || site.state === "suggested" ? "" : `${word[0].toUpperCase()}${word.slice(1)}. ${answers}`,
    site.via === "audit" && site.suggestion === null ? "Random check: the suggestion is hidden until you answer." : "",
    site.lease ? `${site.lease} has this on the screen.` : "",
    site.notes.length ? `${site.notes.length === 1 ? "A note" : `${site.notes.length} notes`}: ${short(site.notes.at(-1).note, 120)}` : "",
    state.project.warning,
  ].filter(Boolean).join(" ");
};

const showTitle = () => {
  const { site } = state;
  const at = queue.items.findIndex((one) => one.id === site.id);
  const view = parts.task?.view;
  put("site-title", `${short(site.task, 60)} · ${site.kinds.join(", ") || "agreed"}`);
  const where = `${placeWord(site.start)}–${placeWord(site.end)}${view?.measure === "character" || isTime() ? "" : ` ${view?.measure}s`}`;
  put("site-place", `${where}${at >= 0 ? ` · ${at + 1} of ${queue.total}` : ""}`);
  put("question", QUESTIONS[site.kinds[0]] ?? "Is this right?");
  const notice = siteNotice(site);
  put("site-say", notice);
  byId("site-say").hidden = !notice;
  byId("reopen").hidden = !["settled", "contested", "skipped"].includes(site.state);
  const group = byId("group-button");
  group.hidden = site.group_size < 2;
  group.firstChild?.replaceWith(`${site.group_size} like this`);
};

const showSiteParts = () => {
  const { site } = state;
  queue.follow();
  byId("site").hidden = !site;
  byId("done").hidden = Boolean(site);
  byId("main").dataset.since = String(Math.round(state.shownAt));
  if (!site) {
    showDone();
    return;
  }
  const written = Boolean(parts.task?.view.text);
  byId("text-area").hidden = !written;
  byId("find").hidden = !written;
  byId("selection").hidden = true;
  for (const button of buttonsOf("whole")) button.hidden = !written;
  showTitle();
  state.mirrored = false;
  if (written) {
    text.show(parts.task, site.start);
    state.mirrored = text.mirrored;
    showStrip(text);
  }
  media.show();
};

/** What is marked in the text, and the site into view, when all that takes room beside it stands: the browser
 * lays the page out once for this. */
const showMarks = () => {
  if (!state.site || !parts.task?.view.text) return;
  text.draw();
  text.reveal(state.site.start, state.site.end);
};

/** The boundary that was moved into view: the other end of a long span may be far away. */
const followEdge = () => {
  if (isTime()) media.keepInView(state.edge);
  else if (parts.task?.view.text) void text.keepInView(state.edge);
};

const showDone = () => {
  const { progress } = state.project;
  byId("done-title").textContent = queue.total ? "Choose a place in the queue" : progress.settled ? "All decided" : "Nothing to decide";
  byId("lanes").replaceChildren();
};

/** What reads the layout comes first, the focus last: else the browser lays the page out again and again. */
const showDraft = () => {
  if (!state.site) return;
  if (parts.task?.view.text) text.drawDraft();
  showEdges();
  showLabels();
  lanes.render();
  readings.render();
  if (isTime()) media.draw();
  byId("discard").hidden = state.draft.choice !== "own" || Boolean(state.site.answer && !state.restored);
};

const focusReadings = () => {
  if (!isDialogOpen() && state.site && !document.body.classList.contains("queue-shown")) readings.focus();
};

/** Every button of a command: those of the sheet are seen on narrow screens only.
 * @param {string} command @returns {NodeListOf<HTMLElement>} */
const buttonsOf = (command) => document.querySelectorAll(`[data-command=${command}]`);

const setWhole = () => {
  text.whole = !text.whole;
  keepSetting("whole", text.whole);
  showWhole();
};

const showWhole = () => {
  for (const button of buttonsOf("whole")) button.setAttribute("aria-pressed", String(text.whole));
  if (!state.site || !parts.task?.view.text) return;
  text.fill(text.first);
  text.show(parts.task, state.site.start);
  showStrip(text);
  showMarks();
};

const lookThrough = () => {
  const field = /** @type {HTMLSelectElement} */ (byId("filter-state"));
  field.value = "all";
  field.dispatchEvent(new Event("change"));
};

const bind = () => {
  on("leaving", () => readings.leave());
  on("site", showSiteParts);
  on("draft", showDraft);
  on("edge", () => requestAnimationFrame(followEdge));
  on("shown", focusReadings);
  on("shown", showMarks);
  on("shown", () => setTimeout(focusReadings));
  on("progress", showProgress);
  on("busy", showSaving);
  on("queue", () => {
    if (state.site) showTitle();
    else showDone();
  });
  on("names", () => {
    for (const button of buttonsOf("names")) button.setAttribute("aria-pressed", String(state.hideNames));
    showDraft();
  });
  on("last", () => {
    byId("last").hidden = !state.last;
    byId("last-say").textContent = state.last ? short(`Last: ${state.last.say}`, 80) : "";
    clearTimeout(groupsLater);
    groupsLater = setTimeout(() => void showGroups(), 800);
  });
  document.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-command]"));
    if (button) keys.run(button.dataset.command ?? "", event.shiftKey);
  });
  bindDialogs(() => setTimeout(focusReadings));
  bindBatch();
  bindNotes();
  bindSliders();
  bindSelecting(text);
  bindStrip(text);
  bindFind(text);
  bindSheets();
};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let groupsLater;

/** The queue and the tools on a narrow screen, and the theme. */
const bindSheets = () => {
  const sheet = (/** @type {boolean} */ shown) => {
    document.body.classList.toggle("queue-shown", shown);
    byId("queue-open").setAttribute("aria-expanded", String(shown));
    if (shown) byId("queue-close").focus();
    queue.render();
  };
  byId("queue-open").addEventListener("click", () => sheet(!document.body.classList.contains("queue-shown")));
  byId("queue-close").addEventListener("click", () => {
    sheet(false);
    byId("queue-open").focus();
  });
  byId("more").addEventListener("click", () => {
    const shown = document.body.classList.toggle("tools-shown");
    byId("more").setAttribute("aria-expanded", String(shown));
  });
  const paint = () => {
    const theme = setting("theme", "");
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    media.drawAll();
  };
  byId("theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    keepSetting("theme", dark ? "light" : "dark");
    paint();
  });
  paint();
};

/** Send what was not answered before the page was reloaded. */
const sendPending = async () => {
  const kept = pending();
  if (!kept) return;
  try {
    takeReply(await record(kept.event, kept.query, () => alarm("Not saved yet: the server does not answer. Trying again.")));
    alarm("");
  } catch (error) {
    fail(error);
  }
};

const firstSite = async () => {
  const kept = keptPlace();
  if (kept?.site) {
    try {
      const site = await get(`/api/sites/${kept.site}`);
      if (state.query.state || ["open", "reopened", "contested", "skipped"].includes(site.state)) {
        await showSite(site, state.query.state ? "browse" : "");
        return;
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  if (queue.items.length) await openSite(queue.items[0].id, "");
  else await showSite(null);
};

const start = async () => {
  if (!takeKey()) {
    alarm("This address has no key. Open the address that goldspan printed, with all that follows #.");
    return;
  }
  state.project = await get("/api/project");
  document.title = `${state.project.name} · goldspan adjudicate`;
  state.undo = state.project.undo;
  state.redo = state.project.redo;
  const kept = keptPlace();
  if (kept) state.query = { ...state.query, ...kept.query };
  text.whole = setting("whole", false);
  bind();
  keys = new Keys(commands({ text, media, labels, help: () => keys.table(), whole: setWhole, look: lookThrough }), {
    take: (n) => void take(n), label: labelNumber, escape: discard,
  });
  keys.bindHelp();
  bindFilters(queue);
  showProgress();
  await sendPending();
  await queue.renew();
  await firstSite();
  showWhole();
  keepPlace();
  void showGroups();
  void followChanges();
  document.body.dataset.ready = "true";
};

/** @param {number} tries */
const startSometime = async (tries) => {
  try {
    await start();
  } catch (error) {
    if (error instanceof Gone && !state.project) {
      alarm("The server does not answer. Start goldspan adjudicate again; this page goes on by itself.");
      setTimeout(() => void startSometime(tries + 1), 1000);
    } else fail(error);
  }
};
void startSometime(0);
