// @ts-check
/* Figures: the result in numbers, and how far each moved since the settings before. */
import { make, one } from "./elements.js";

const LARGE = ["gamma", "gamma_cat"];
const MOST_LABELS = 24;

/** @param {number} value */
const number = (value) => value.toFixed(3).replace("-", "−");

/** @param {any} figure */
const name = (figure) => `${figure.key}\n${figure.label}`;

/** @param {any} figure @param {Map<string, any>} before */
const moved = (figure, before) => {
  const old = before.get(name(figure))?.value;
  if (figure.value === null || old === null || old === undefined) return null;
  const change = figure.value - old;
  if (Math.abs(change) < 0.0005) return null;
  const up = change > 0;
  return make("span", { class: `moved ${up ? "up" : "down"}` }, `${up ? "▲ +" : "▼ −"}${Math.abs(change).toFixed(3)}`);
};

/** The figure of the result kept as A, and the difference to it. @param {any} figure @param {Map<string, any>} kept */
const against = (figure, kept) => {
  const value = kept.get(name(figure))?.value;
  if (value === undefined) return make("span", { class: "soft other" }, "A: not measured");
  if (value === null || figure.value === null) return make("span", { class: "soft other" }, `A: ${value === null ? "–" : number(value)}`);
  const more = figure.value - value;
  return make("span", { class: "soft other", "data-value": String(value) }, `A: ${number(value)}, difference ${more < 0 ? "" : "+"}${number(more)}`);
};

/** Draw a result; `before` is the one that it has moved from, `kept` the one that is kept as A, if any.
    @param {any} result @param {any} before @param {any} kept */
export const drawFigures = (result, before, kept) => {
  const other = new Map((kept?.figures ?? []).map((/** @type {any} */ figure) => [name(figure), figure]));
  const old = new Map((before?.figures ?? []).map((/** @type {any} */ figure) => [name(figure), figure]));
  const whole = result.figures.filter((/** @type {any} */ figure) => !figure.label);
  // Those that have a value come first: a label that one annotator used says nothing here.
  const labels = result.figures.filter((/** @type {any} */ figure) => figure.label && figure.key === "gamma_k")
    .sort((/** @type {any} */ a, /** @type {any} */ b) => Number(a.value === null) - Number(b.value === null));
  one("#figures").replaceChildren(...whole.map((/** @type {any} */ figure) => {
    const box = make("div", { class: `figure${LARGE.includes(figure.key) ? "" : " small"}`, "data-key": figure.key });
    box.append(make("div", { class: "symbol" }, figure.symbol));
    const value = make("div", { class: "value" }, figure.value === null ? "–" : number(figure.value));
    if (figure.value !== null) value.setAttribute("data-value", String(figure.value));
    box.append(value);
    const change = moved(figure, old);
    if (change) box.append(change, " ");
    if (figure.low !== null) box.append(make("span", { class: "soft" }, `${number(figure.low)} to ${number(figure.high)}`));
    if (kept) box.append(against(figure, other));
    if (figure.value === null && figure.remark) box.append(make("div", { class: "reason" }, figure.remark));
    return box;
  }));
  one("#labels").replaceChildren(...labels.slice(0, MOST_LABELS).map((/** @type {any} */ figure) => {
    const span = make("span");
    span.append(make("span", { class: "soft" }, `γk ${figure.label} `), make("b", {}, figure.value === null ? "–" : number(figure.value)));
    const change = moved(figure, old);
    if (change) span.append(" ", change);
    if (kept) span.append(" ", against(figure, other));
    return span;
  }));
  if (labels.length > MOST_LABELS) one("#labels").append(make("span", { class: "soft" }, `and ${labels.length - MOST_LABELS} more labels in the report`));
};
