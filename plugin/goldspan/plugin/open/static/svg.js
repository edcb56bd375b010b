// @ts-check
/* SVG: a drawing as a file of its own, with the names of the lanes and the colours that are seen. */
import { draw } from "./lanes.js";

const GUTTER = 120;
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family"];

/** The drawing as text. @param {import("./lanes.js").Lanes} lanes @param {string} title */
export const svgOf = (lanes, title) => {
  const from = lanes.svg;
  const [width, height] = [Number(from.getAttribute("width")), Number(from.getAttribute("height"))];
  const copy = /** @type {SVGElement} */ (from.cloneNode(true));
  const seen = from.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(seen[at]);
    for (const look of LOOKS) element.setAttribute(look, style.getPropertyValue(look));
    for (const name of ["class", "style", "tabindex", "role", "data-link", "aria-hidden", "aria-label", "aria-pressed"]) element.removeAttribute(name);
  });
  const panel = getComputedStyle(lanes.box).getPropertyValue("--panel").trim() || "#fff";
  const whole = draw("svg", { xmlns: "http://www.w3.org/2000/svg", width: width + GUTTER, height, viewBox: `0 0 ${width + GUTTER} ${height}` });
  const inside = draw("g", { transform: `translate(${GUTTER} 0)` });
  inside.append(...copy.childNodes);
  whole.append(draw("title", {}, title), draw("rect", { width: "100%", height: "100%", fill: panel }));
  for (const label of lanes.lanes.querySelectorAll(".names span")) {
    const style = getComputedStyle(label);
    const text = label.textContent ?? "";
    whole.append(draw("text", {
      x: GUTTER - 10, y: Number.parseFloat(/** @type {HTMLElement} */ (label).style.top) + 15, "text-anchor": "end",
      fill: style.color, "font-size": "13px", "font-family": style.fontFamily,
    }, text.length > 16 ? `${text.slice(0, 15)}…` : text));
  }
  whole.append(inside);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(whole)}\n`;
};
