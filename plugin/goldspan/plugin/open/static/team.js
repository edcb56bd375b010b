// @ts-check
/* Team: what only a page for several people has: the place in the queue, and what is stored. */
import { get, post } from "./api.js";
import { make, one } from "./elements.js";

const SOON_MS = 700;
const LOOK_MS = 1500;

/** @param {number} n @param {string} noun */
const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

/** @param {number} bytes */
const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`);

/** @param {number} seconds since 1970 */
const when = (seconds) => new Date(seconds * 1000).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });

const queue = make("div", { id: "queue", class: "card", role: "status", hidden: "" });
const said = make("span");
const cancel = make("button", { type: "button" }, "Cancel");
queue.append(said, cancel);

const dialog = /** @type {HTMLDialogElement} */ (make("dialog", { id: "stored", class: "card", "aria-labelledby": "stored-title" }));

/** @param {() => Promise<void>} work */
const doing = (work) => () => work().catch((error) => { one("#alert").textContent = error.message; });

/** Whether the page waits for an answer. */
const isBusy = () => document.body.dataset.stage === "waiting" || document.body.dataset.stage === "coarse"
  || document.body.dataset.stage === "figures" || document.body.dataset.rounds === "waiting" || document.body.dataset.plan === "waiting" || one("#loading").textContent === "Reading …";

/** Say where this person stands, while something is awaited; then look again. */
const look = async () => {
  let pause = SOON_MS;
  try {
    const team = isBusy() ? await get("/api/team") : null;
    const waits = team !== null && isBusy() && (team.position > 0 || team.is_running);
    queue.hidden = !waits;
    if (waits) {
      said.textContent = team.position ? `You are number ${team.position} in the queue.` : "It is your turn: computing …";
      pause = LOOK_MS;
    }
  } catch {
    queue.hidden = true; // the call that is awaited says what is wrong
  }
  setTimeout(look, pause);
};

const show = async () => {
  const team = await get("/api/team");
  const list = make("ul");
  for (const set of team.sets) {
    const names = set.names.join(", ") + (set.files > set.names.length ? " …" : "");
    list.append(make("li", {}, `${names}: ${count(set.files, "file")}, ${size(set.bytes)}, until ${when(set.until)}`));
  }
  const all = make("button", { type: "button", id: "delete-all", class: "primary" }, "Delete everything now");
  const leave = make("button", { type: "button", id: "leave" }, "Delete and log out");
  const close = make("button", { type: "button", id: "stored-close" }, "Close");
  const row = make("p", { class: "row" });
  row.append(all, leave, close);
  dialog.replaceChildren(
    make("h2", { id: "stored-title" }, "Stored on this server"),
    team.sets.length ? list : make("p", { id: "stored-nothing" }, "Nothing of yours is stored."),
    make("p", { class: "soft" }, `${note(team)} Settings are not stored: they are in the address of your page. A cookie says which files are yours.`),
    row,
  );
  all.addEventListener("click", doing(async () => {
    await post("/api/team/delete", {});
    history.replaceState(null, "", location.pathname);
    location.reload();
  }));
  leave.addEventListener("click", doing(async () => {
    await post("/api/team/leave", {});
    location.assign("/login");
  }));
  close.addEventListener("click", () => dialog.close());
  if (!dialog.open) dialog.showModal();
};

/** @param {any} team */
const note = (team) => `Files that you drop go to this server, apart from those of others. They are deleted ${count(team.keep_hours, "hour")} after you dropped them, `
  + `or when you delete them. At most ${count(team.most_sets, "set")} of up to ${count(team.most_files, "file")} and ${team.most_megabytes} MB are kept. `
  + `A computation may take ${count(team.most_seconds, "second")}. The people who run the server can read the files.`;

/** Show the parts of a page for a team. */
export const begin = async () => {
  document.head.append(make("link", { rel: "stylesheet", href: "/static/team.css" }));
  const button = make("button", { type: "button", id: "stored-open" }, "Stored files");
  one(".top").append(button);
  document.body.append(queue, dialog);
  button.addEventListener("click", doing(show));
  cancel.addEventListener("click", doing(() => post("/api/team/cancel", {})));
  one("#stored-note").textContent = note(await get("/api/team"));
  look();
};
