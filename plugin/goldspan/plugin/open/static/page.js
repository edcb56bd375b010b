// @ts-check
/* Page: from files to figures. The state is one value; every change of it is measured, coarse first,
   and the newest change wins. */
import { AlignmentView } from "./alignment.js";
import { get, keepState, linkTo, nextTurn, post, Refused, send, takeAddress } from "./api.js";
import { chosen, dropped, mostBytes, sendFiles } from "./dropping.js";
import { make, one } from "./elements.js";
import { drawFigures } from "./figures.js";
import { PlanView } from "./plan.js";
import { readAnswers, showQuestions } from "./questions.js";
import { RoundsView } from "./rounds.js";
import { fillSettings, onSettings, showSettings } from "./settings.js";

const STAGES = ["coarse", "figures", "full"];
const SAYS = {
  coarse: "A first estimate from few chance samples. The exact figures follow.",
  figures: "Exact figures. The report follows.",
  full: "Exact figures.",
};
const READING = ["trim", "join_touching", "empty"];
const REST_MS = 20;
const WATCH_MS = 2000;
const TAB = crypto.randomUUID();
const USUAL = {
  data: "", answers: {}, trim: false, join_touching: false, empty: "", left_out: [], left_out_labels: [], left_out_tasks: [],
  alpha: 1, beta: 1, chance: "auto", precision: 0.02, coefficients: [], distances: null,
};

/** @type {any} */
let state = { ...USUAL };
/** @type {any} */
let opened = null;
/** @type {any[]} */
const past = [];
/** The last exact result, and the one that stood before the present change. @type {any} */
let exact = null;
/** @type {any} */
let before = null;
/** @type {AbortController | null} */
let running = null;
let waiting = 0;
/** A setting that decides how files are read has changed. */
let mustRead = false;
let reads = 0;
/** A setting that others are compared with: its state and result. @type {any} */
let kept = null;

const view = new AlignmentView(() => state, () => kept?.state ?? null, (error) => complain(error));

const rounds = new RoundsView(() => state, TAB);
const plan = new PlanView(() => state, TAB);

/** @param {"welcome" | "ask" | "work"} part */
const show = (part) => {
  for (const name of ["welcome", "ask", "work"]) one(`#${name}`).hidden = name !== part;
  for (const name of ["#bottom", "#taken", "#undo", "#link", "#to-settings"]) one(name).hidden = part !== "work";
  one("#again").hidden = part === "welcome";
  if (part !== "work") document.body.dataset.stage = "none";
};

/** @param {unknown} error */
const complain = (error) => {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof Refused && error.error === "superseded") return;
  one("#alert").textContent = error instanceof Error ? error.message : String(error);
};

const calm = () => { one("#alert").textContent = ""; };

/* From files to a corpus */

/** Read the files as the state says; what follows is the form of questions, or figures. False if they cannot be read so. */
const read = async () => {
  calm();
  clearTimeout(waiting);
  mustRead = false;
  const own = ++reads;
  one("#loading").textContent = "Reading …";
  try {
    const answer = await post("/api/read", { state });
    if (own !== reads) return true;
    if (answer.questions) {
      ask(answer);
      return true;
    }
    opened = answer;
    showOpened();
    fillSettings(opened, state);
    view.fill(opened, state);
    show("work");
    keepState(state);
    measure();
    return true;
  } catch (error) {
    if (own !== reads) return true;
    // Where something can be corrected, it stays.
    const isGone = error instanceof Refused && error.error === "gone";
    if (isGone || (one("#ask").hidden && one("#work").hidden)) show("welcome");
    else document.body.dataset.stage = one("#work").hidden ? "none" : "refused";
    complain(error);
    return false;
  } finally {
    if (own === reads) one("#loading").textContent = "";
  }
};

/** @param {any} asked */
const ask = (asked) => {
  // Whoever is asked the same again wants to know why.
  one("#why-box").open = !one("#ask").hidden || asked.questions.some((/** @type {any} */ question) => !question.choices.length);
  one("#why").textContent = asked.say;
  showQuestions(one("#fields"), asked.questions, state.answers);
  show("ask");
};

const showOpened = () => {
  const count = (/** @type {number} */ n, /** @type {string} */ noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  const files = opened.files.length > 3 ? `${opened.files.slice(0, 3).join(", ")} …` : opened.files.join(", ");
  const said = [count(opened.tasks, "task"), count(opened.annotators.length, "annotator")];
  said.push(...(opened.units ? [count(opened.units, "unit"), count(opened.labels.length, "label")] : ["labels of whole tasks only"]));
  const format = make("b", {}, opened.format);
  format.title = opened.summary;
  one("#taken").replaceChildren(`${files}, read as `, format, `: ${said.join(", ")}`);
  one("#notes").replaceChildren(...opened.notes.map((/** @type {string} */ note) => make("li", {}, note)));
  one("#ask-again").hidden = !Object.keys(state.answers).length && !state.empty;
};

/** @param {{ name: string, file: File }[]} files */
const take = async (files) => {
  if (!files.length) return;
  calm();
  running?.abort();
  rounds.close();
  show("welcome");
  const say = (/** @type {number} */ sent) => { one("#loading").textContent = `${sent} of ${files.length} files …`; };
  say(0);
  try {
    const data = await sendFiles(files, say);
    const { alpha, beta, chance, precision } = state;
    state = { ...USUAL, data, alpha, beta, chance, precision };
    past.length = 0;
    exact = before = null;
    document.body.dataset.measured = "false";
    one("#report").hidden = true;
    keep(null);
    await read();
  } catch (error) {
    one("#loading").textContent = "";
    complain(error);
  }
};

/* From a state to figures */

const measure = async () => {
  running?.abort();
  const own = new AbortController();
  running = own;
  rounds.wait();
  plan.wait();
  before = exact ?? before;
  document.body.dataset.stage = "waiting";
  if (!kept) one("#keep").disabled = true;
  one("#report-old").hidden = one("#report").hidden;
  one("#undo").disabled = !past.length;
  one("#link").disabled = false;
  one("#distances-download").hidden = !state.distances;
  try {
    for (const stage of STAGES) {
      const result = await post("/api/measure", { state, stage, tab: TAB, turn: nextTurn() }, own.signal);
      if (running !== own) return;
      calm();
      drawFigures(result, before, kept?.result);
      one("#command").textContent = result.command;
      one("#place").textContent = opened.place + (state.distances ? ", beside the downloaded distances.csv" : "");
      one("#adjudicate").textContent = result.adjudicate;
      one("#status").textContent = SAYS[/** @type {keyof typeof SAYS} */ (stage)] + (stage === "coarse" || !result.chance.length ? "" : ` Chance: ${result.chance.join(" and ")}.`);
      document.body.dataset.measured = "true";
      if (stage === "full") {
        exact = result;
        one("#keep").disabled = false;
        view.fill(opened, state);
        view.show();
        write();
        showReport(result.report, own);
        rounds.follow();
        plan.ready();
      } else {
        document.body.dataset.stage = stage;
      }
    }
  } catch (error) {
    if (running === own) {
      one("#status").textContent = "";
      complain(error);
      document.body.dataset.stage = error instanceof Refused ? "refused" : document.body.dataset.stage;
      // Where nothing was measured so far, another answer may help.
      if (document.body.dataset.measured === "false") one("#reading").open ||= !one("#ask-again").hidden;
    }
  }
};

/** Load the report behind the one that is shown, then put it in its place.
    @param {string} token @param {AbortController} own */
const showReport = (token, own) => {
  const old = one("#report");
  const next = /** @type {HTMLIFrameElement} */ (make("iframe", { title: "The report", src: `/api/media/report/${token}` }));
  next.style.cssText = "position:absolute;visibility:hidden;height:0";
  next.addEventListener("load", () => {
    if (running !== own) {
      next.remove();
      return;
    }
    const y = scrollY;
    const root = /** @type {HTMLElement} */ (next.contentDocument?.documentElement);
    next.style.cssText = old.hidden ? "" : `height:${old.style.height}`;
    next.id = "report";
    old.remove();
    const fit = () => { next.style.height = `${root.querySelector("main")?.getBoundingClientRect().height ?? 600}px`; };
    new ResizeObserver(fit).observe(/** @type {Element} */ (root.querySelector("main")));
    fit();
    scrollTo({ top: y, behavior: "instant" });
    one("#report-old").hidden = true;
    document.body.dataset.stage = "full";
  });
  one("#results").append(next);
};

/** @param {Record<string, any>} change */
const set = (change) => {
  past.push(state);
  state = { ...state, ...change };
  keepState(state);
  // While a slider moves, changes come faster than anybody looks.
  clearTimeout(waiting);
  document.body.dataset.stage = "waiting";
  mustRead ||= READING.some((name) => name in change);
  waiting = setTimeout(() => { mustRead ? read() : measure(); }, REST_MS);
};

one("#undo").addEventListener("click", () => {
  if (!past.length) return;
  state = past.pop();
  keepState(state);
  showSettings(state);
  read();
});
onSettings(set, () => state);

/* The paragraph for a paper, as long as somebody sees it */
const write = async () => {
  const own = exact;
  one("#copy-paragraph").disabled = true;
  if (!one("#paper-box").open || !own) return;
  try {
    const answer = await send("/api/download", { state, what: "paragraph" });
    const text = await answer.text();
    if (own !== exact) return;
    one("#paragraph").textContent = text;
    one("#copy-paragraph").disabled = false;
  } catch (error) {
    complain(error);
  }
};
one("#paper-box").addEventListener("toggle", write);
one("#copy-paragraph").addEventListener("click", () => copy(one("#copy-paragraph"), one("#paragraph").textContent).catch(complain));
one("#copy-plan").addEventListener("click", () => copy(one("#copy-plan"), one("#plan-command").textContent).catch(complain));
one("#copy-adjudicate").addEventListener("click", () => copy(one("#copy-adjudicate"), one("#adjudicate").textContent).catch(complain));

/* Two settings side by side */

/** Keep this setting as A, or none. @param {any} chosen */
const keep = (chosen) => {
  kept = chosen;
  one("#keep").textContent = kept ? "Drop A" : "Keep as A";
  one("#keep").disabled = !kept && document.body.dataset.stage !== "full";
  one("#back").hidden = one("#kept").hidden = !kept;
  one("#kept").textContent = kept ? `A: ${kept.result.command}` : "";
};
one("#keep").addEventListener("click", () => {
  keep(kept ? null : { state, result: exact });
  drawFigures(exact, null, kept?.result);
  view.show();
});
one("#back").addEventListener("click", () => {
  past.push(state);
  state = kept.state;
  keepState(state);
  showSettings(state);
  read();
});

one("#questions").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const old = state;
  // What an empty file means is a setting as well, which is changed there.
  const { "--empty": empty = state.empty, ...answers } = readAnswers(one("#fields"));
  state = { ...state, empty, answers: { ...state.answers, ...answers } };
  if (!await read()) state = old;
});
one("#ask-again").addEventListener("click", () => {
  state = { ...state, answers: {}, empty: "", left_out: [], left_out_labels: [], left_out_tasks: [], distances: null };
  read();
});

/* Files, links, downloads */

one("#files").addEventListener("change", () => { take(chosen(one("#files").files)); one("#files").value = ""; });
one("#folder").addEventListener("change", () => { take(chosen(one("#folder").files)); one("#folder").value = ""; });
one("#later-files").addEventListener("change", () => { rounds.take(chosen(one("#later-files").files)); one("#later-files").value = ""; });
one("#later-folder").addEventListener("change", () => { rounds.take(chosen(one("#later-folder").files)); one("#later-folder").value = ""; });
one("#again").addEventListener("click", () => { running?.abort(); calm(); show("welcome"); });
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("over"); });
addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  const isLater = one("#later").contains(event.target);
  const files = event.dataTransfer ? await dropped(event.dataTransfer) : [];
  if (isLater) rounds.take(files);
  else take(files);
});

/** @param {HTMLButtonElement} button @param {string} text */
const copy = async (button, text) => {
  await navigator.clipboard.writeText(text);
  const said = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = said; }, 1200);
};
one("#to-settings").addEventListener("click", () => one("aside").scrollIntoView());
one("#link").addEventListener("click", () => copy(one("#link"), linkTo(state)).catch(complain));
one("#copy").addEventListener("click", () => copy(one("#copy"), one("#command").textContent).catch(complain));

document.querySelectorAll("[data-download]").forEach((found) => found.addEventListener("click", async () => {
  const button = /** @type {HTMLButtonElement} */ (found);
  button.disabled = true;
  try {
    const answer = await send("/api/download", { state, what: button.dataset.download, format: one("#gold-format").value });
    const name = /filename="(.*)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "download";
    const address = URL.createObjectURL(await answer.blob());
    const link = make("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    calm();
  } catch (error) {
    complain(error);
  } finally {
    button.disabled = false;
  }
}));

/* A given folder that changes is read again, also where it left something open: it may have been half written */
let seen = "";
const watch = async () => {
  try {
    if (state.data === "given" && one("#welcome").hidden) {
      const { version } = await get("/api/data/given");
      const known = seen || (opened?.version ?? version);
      seen = version;
      if (version !== known) await read();
    }
  } catch { /* the next change says what is wrong */ }
  setTimeout(watch, WATCH_MS);
};

const begin = async () => {
  const link = takeAddress();
  try {
    const start = await get("/api/start");
    if (start.team) (await import("./team.js")).begin().catch(complain);
    mostBytes(start.most_bytes);
    one("#formats").textContent = start.formats.join(", ");
    one("#gold-format").replaceChildren(...start.writes.map((/** @type {string} */ name) => make("option", { value: name }, name)));
    one("#coefficients").dataset.known = JSON.stringify(start.coefficients);
    state = { ...USUAL, data: start.given, ...(link.state ?? {}) };
    if (state.data) await read();
    else show("welcome");
    watch();
  } catch (error) {
    show("welcome");
    complain(error);
  }
  document.body.dataset.ready = "true";
};
begin();
