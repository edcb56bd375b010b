// @ts-check
/* Settings: the panel. It says what changed; the page does the rest. */
import { Checklist } from "./checklist.js";
import { make, one } from "./elements.js";

const OWN = ["gamma", "gamma_cat", "gamma_k"];
const MOST_LABELS = 30;
const WEIGHTS = ["alpha", "beta"];
/** @type {string[]} */
let labels = [];
/** @type {Record<string, Checklist>} */
const lists = {};

/** Fill what depends on the files. @param {any} opened @param {any} state */
export const fillSettings = (opened, state) => {
  labels = opened.labels;
  one("#distances-box").hidden = labels.length < 2 || labels.length > MOST_LABELS;
  one("#annotators").replaceChildren(...opened.annotators.map((/** @type {any} */ who) =>
    box(who.name, who.name, `${who.units}`, `${who.tasks} tasks, ${who.units} units`)));
  lists.left_out_labels?.fill(opened.labels, opened.label_units);
  lists.left_out_tasks?.fill(opened.task_names, opened.task_units);
  const known = JSON.parse(one("#coefficients").dataset.known);
  one("#coefficients").replaceChildren(...known.filter((/** @type {string[]} */ [key]) => !OWN.includes(key)).map(
    (/** @type {string[]} */ [key, symbol, about]) => box(key, symbol, "", about)));
  const head = make("tr");
  head.append(make("td"), ...labels.map((label) => make("th", { scope: "col", title: label }, label)));
  one("#distances").replaceChildren(head, ...labels.map((label, row) => {
    const line = make("tr");
    line.append(make("th", { scope: "row", title: label }, label), ...labels.map((other, column) => {
      const cell = make("td");
      if (column > row) cell.append(make("input", { type: "number", min: "0", max: "1", step: "0.05", "data-at": `${row} ${column}`, "aria-label": `Distance of ${label} and ${other}` }));
      else if (column === row) cell.textContent = "0";
      return cell;
    }));
    return line;
  }));
  showSettings(state);
};

/** @param {string} value @param {string} name @param {string} more @param {string} title */
const box = (value, name, more, title) => {
  const label = make("label", { class: "check", title });
  label.append(make("input", { type: "checkbox", value }), name);
  if (more) label.append(make("small", {}, more));
  return label;
};

/** Show a state. @param {any} state */
export const showSettings = (state) => {
  for (const name of WEIGHTS) {
    // Outside its range, the slider is at its end.
    for (const input of weights(name)) input.value = String(state[name]);
  }
  one("#chance").value = state.chance;
  one("#precision").value = String(state.precision);
  one("#empty").value = state.empty;
  one("#trim").checked = state.trim;
  one("#join_touching").checked = state.join_touching;
  for (const input of boxes("#annotators")) input.checked = !state.left_out.includes(input.value);
  for (const [name, list] of Object.entries(lists)) list.show(state[name]);
  for (const input of boxes("#coefficients")) input.checked = state.coefficients.includes(input.value);
  const rows = matrix(state);
  for (const input of cells()) {
    const [row, column] = place(input);
    input.value = String(rows[row][column]);
  }
};

/** Call `set` with every change. @param {(change: Record<string, any>) => void} set @param {() => any} state */
export const onSettings = (set, state) => {
  for (const name of WEIGHTS) {
    const [slider, field] = weights(name);
    slider.addEventListener("input", () => {
      field.value = String(Number(slider.value));
      set({ [name]: Number(slider.value) });
    });
    field.addEventListener("change", () => {
      if (field.value === "" || !field.reportValidity()) return;
      slider.value = field.value;
      set({ [name]: Number(field.value) });
    });
  }
  one("#chance").addEventListener("input", () => set({ chance: one("#chance").value }));
  one("#precision").addEventListener("input", () => set({ precision: Number(one("#precision").value) }));
  one("#empty").addEventListener("input", () => set({ empty: one("#empty").value }));
  for (const name of ["trim", "join_touching"]) one(`#${name}`).addEventListener("input", () => set({ [name]: one(`#${name}`).checked }));
  one("#annotators").addEventListener("input", () => set({ left_out: boxes("#annotators").filter((input) => !input.checked).map((input) => input.value) }));
  lists.left_out_labels = new Checklist("#label-list", "#labels-out", "label", (left) => set({ left_out_labels: left }));
  lists.left_out_tasks = new Checklist("#task-list", "#tasks-out", "task", (left) => set({ left_out_tasks: left }));
  one("#coefficients").addEventListener("input", () => set({ coefficients: boxes("#coefficients").filter((input) => input.checked).map((input) => input.value) }));
  one("#distances").addEventListener("change", (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.value === "" || !input.checkValidity()) {
      input.reportValidity();
      return;
    }
    const rows = matrix(state());
    const [row, column] = place(input);
    rows[row][column] = rows[column][row] = Number(input.value);
    set({ distances: { categories: labels, rows } });
  });
  one("#distances-reset").addEventListener("click", () => {
    set({ distances: null });
    showSettings(state());
  });
  one("#settings").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
};

/** The slider and the number of a weight. @param {string} name @returns {HTMLInputElement[]} */
const weights = (name) => [one(`#${name}`), one(`#${name}-number`)];

/** @param {string} selector @returns {HTMLInputElement[]} */
const boxes = (selector) => [...one(selector).querySelectorAll("input")];

/** @returns {HTMLInputElement[]} */
const cells = () => [...one("#distances").querySelectorAll("input")];

/** @param {HTMLInputElement} input */
const place = (input) => (input.dataset.at ?? "0 0").split(" ").map(Number);

/** The distances of a state; 1 where nothing is said. @param {any} state @returns {number[][]} */
const matrix = (state) => {
  const known = state.distances;
  return labels.map((one_, row) => labels.map((other, column) => {
    const [a, b] = known ? [known.categories.indexOf(one_), known.categories.indexOf(other)] : [-1, -1];
    return a >= 0 && b >= 0 ? known.rows[a][b] : Number(row !== column);
  }));
};
