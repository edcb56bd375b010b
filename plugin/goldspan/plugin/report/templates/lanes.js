// @ts-check
/* Lanes: units drawn to scale, one lane an annotator, with bands between those that belong together.
   The report inlines this module; the page of `goldspan adjudicate` imports it. Data is put in place
   as text, never as markup. */

const ROW = 21, BAND = 26, RULER = 22;

/** An element with these attributes and this text.
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {string} [text] */
export const make = (name, attributes = {}, text = "") => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
};

/** The same for SVG.
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {string} [text] */
export const draw = (name, attributes = {}, text = "") => {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text) element.textContent = text;
  return element;
};

/** @param {number} milliseconds */
export const clock = (milliseconds) => {
  const seconds = milliseconds / 1000;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds % 60).toFixed(seconds % 1 ? 1 : 0).padStart(seconds % 1 ? 4 : 2, "0");
  return minutes >= 60
    ? `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`
    : `${minutes}:${rest}`;
};

/** A position in the words of its measure.
 * @param {{ measure: string }} data @param {number} position */
export const place = (data, position) => data.measure === "millisecond" ? clock(position) : String(position);

const steps = function* () {
  for (let size = 1; ; size *= 10) yield* [size, 2 * size, 5 * size];
};
const clockSteps = [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 144e5, 864e5];

/** What is drawn.
 * @typedef {object} Drawn
 * @property {[string, number][]} lanes  a name and its number of rows
 * @property {[number, number, number, number, number, number][]} units  lane, row, start, end, category, link
 * @property {number[][]} costs  of each link; the first figure is the whole
 * @property {any[][]} [gold]  row, start, end, category, and what `gold` reads
 * @property {number} from
 * @property {number} to
 * @property {string} measure
 * @property {boolean} [mirrored]  positions grow from right to left
 * @property {number} [gap]  between lanes, in pixels; as much as bands need if not given
 */

export class Lanes {
  /** @param {HTMLElement} box @param {Drawn} data
   * @param {{ categories: string[], colours: Record<number, string> | string[] }} names */
  constructor(box, data, names) {
    this.box = box;
    this.data = data;
    this.names = names;
    this.zoom = 1;
    /** @type {any[][][]} */
    this.groups = data.costs.map(() => []);
    data.units.forEach((unit) => this.groups[unit[5]].push(unit));
    this.lanes = make("div", { class: "lanes" });
    /** @type {number[]} */
    this.tops = [];
    this.span = 0;
    this.width = 0;
  }

  /** Draw again whenever the box gets another width. */
  follow() {
    new ResizeObserver(() => {
      if (this.box.clientWidth && this.box.clientWidth !== this.width) this.render();
    }).observe(this.box);
  }

  /** @param {number} position */
  x(position) {
    const { from, to, mirrored } = this.data;
    const part = (position - from) / Math.max(to - from, 1e-9);
    return (mirrored ? 1 - part : part) * (this.span - 2) + 1;
  }

  /** The position at a place of the drawing; the inverse of `x`. @param {number} x */
  position(x) {
    const { from, to, mirrored } = this.data;
    const part = (x - 1) / (this.span - 2);
    return from + (mirrored ? 1 - part : part) * (to - from);
  }

  /** @param {number} [width] */
  render(width) {
    const { data } = this;
    const gap = data.gap ?? BAND;
    this.width = this.box.clientWidth;
    const named = make("div", { class: "names" });
    const scroll = make("div", { class: "scroll" });
    this.lanes.replaceChildren(named, scroll);
    this.span = Math.max(120, width ?? (scroll.clientWidth || this.width) * this.zoom);
    this.tops = [];
    let y = RULER + 8;
    /** @type {[string, number][]} */
    const rows = [...data.lanes];
    if (data.gold) rows.push(["gold", Math.max(1, ...data.gold.map((span) => span[0] + 1))]);
    rows.forEach(([name, count], lane) => {
      this.tops.push(y);
      const label = make("span", { title: name, class: lane >= data.lanes.length ? "gold" : "" }, name);
      label.style.top = `${y + (count * ROW) / 2 - 11}px`;
      named.append(label);
      y += count * ROW + gap;
    });
    const height = y - gap + 10;
    named.style.height = `${height}px`;
    this.svg = draw("svg", { width: this.span, height, ...this.described() });
    scroll.append(this.svg);
    this.ruler(height);
    rows.forEach(([, count], lane) => {
      const middle = this.tops[lane] + (count * ROW) / 2;
      this.svg.append(draw("line", { class: lane >= data.lanes.length ? "lane-line gold" : "lane-line", x1: 0, x2: this.span, y1: middle, y2: middle }));
    });
    this.fill();
  }

  /** What the drawing is to a screen reader: here a picture of what is said elsewhere.
   * @returns {Record<string, string>} */
  described() {
    return { "aria-hidden": "true" };
  }

  /** What stands in the lanes; those below first. */
  fill() {
    this.groups.forEach((group, link) => this.bands(group, link));
    this.shown = this.data.units.map((unit) => this.unit(unit));
    (this.data.gold ?? []).forEach((span) => this.gold(span));
  }

  /** @param {number} height */
  ruler(height) {
    const { data } = this;
    const least = ((data.to - data.from) / this.span) * 70;
    const source = data.measure === "millisecond" ? clockSteps : steps();
    let step = 1;
    for (step of source) if (step >= least) break;
    for (let at = Math.ceil(data.from / step) * step; at <= data.to; at += step) {
      const x = this.x(at);
      this.svg.append(draw("line", { class: "tick", x1: x, x2: x, y1: RULER - 6, y2: height }));
      if (x < this.span - 24) this.svg.append(draw("text", { x: x + 3, y: RULER - 8 }, place(data, at)));
    }
  }

  /** @param {any[][]} group @param {number} link */
  bands(group, link) {
    const cost = this.data.costs[link][0];
    for (let at = 1; at < group.length; at += 1) {
      const [a, b] = [group[at - 1], group[at]];
      const top = this.tops[a[0]] + (a[1] + 1) * ROW - 3;
      const bottom = this.tops[b[0]] + b[1] * ROW + 2;
      const middle = (top + bottom) / 2;
      const [a1, a2, b1, b2] = [a[2], a[3], b[2], b[3]].map((position) => this.x(position));
      const band = draw("path", {
        class: b[0] - a[0] > 1 ? "band far" : "band",
        "data-link": link,
        d: `M${a1} ${top}C${a1} ${middle} ${b1} ${middle} ${b1} ${bottom}L${b2} ${bottom}C${b2} ${middle} ${a2} ${middle} ${a2} ${top}Z`,
      });
      band.style.fill = `color-mix(in srgb, var(--warn) ${Math.round(Math.min(1, cost) * 100)}%, var(--calm))`;
      this.band(band, group, link);
      this.svg.append(band);
    }
  }

  /** A band before it is drawn. @param {SVGElement} _band @param {any[][]} _group @param {number} _link */
  band(_band, _group, _link) {}

  /** Of the labels, the first that fits is written; the last is shortened if it must.
   * @param {number} lane @param {number} row @param {number} start @param {number} end
   * @param {number} category @param {string[]} labels @param {string} extra */
  block(lane, row, start, end, category, labels, extra) {
    const [one, other] = [this.x(start), this.x(end)];
    const x = Math.min(one, other);
    const width = Math.max(2, Math.abs(other - one));
    const own = this.names.colours[category];
    const group = draw("g", { class: `unit c${category % 8}${category >= 8 && !own ? " again" : ""} ${extra}` });
    if (own) group.style.setProperty("--c", own);
    group.append(draw("rect", { x, y: this.tops[lane] + row * ROW + 2, width, height: ROW - 5, rx: 3 }));
    const room = Math.floor((width - 6) / 7.3);
    const label = labels.find((one) => one.length <= room) ?? labels[labels.length - 1];
    if (room >= Math.min(2, label.length)) {
      const short = label.length > room ? `${label.slice(0, Math.max(1, room - 1))}…` : label;
      group.append(draw("text", { x: x + 4, y: this.tops[lane] + row * ROW + 14 }, short));
    }
    return group;
  }

  /** @param {any[]} unit */
  unit([lane, row, start, end, category]) {
    const group = this.block(lane, row, start, end, category, [this.names.categories[category]], "");
    this.svg.append(group);
    return group;
  }

  /** @param {any[]} span */
  gold([row, start, end, category]) {
    const group = this.block(this.data.lanes.length, row, start, end, category, [this.names.categories[category]], "mine");
    this.svg.append(group);
    return group;
  }

  /** Left and right stay in the lane, up and down go to what is aligned, or to what is nearest.
   * @param {KeyboardEvent} event @param {any[]} unit */
  move(event, unit) {
    const sideways = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const upwards = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!sideways && !upwards) return;
    event.preventDefault();
    const { units } = this.data;
    let next;
    if (sideways) {
      const lane = units.filter((other) => other[0] === unit[0]);
      next = lane[lane.indexOf(/** @type {any} */ (unit)) + sideways];
    } else {
      for (let lane = unit[0] + (upwards ?? 0); !next && this.data.lanes[lane]; lane += upwards ?? 0) {
        const there = units.filter((other) => other[0] === lane);
        next = there.find((other) => other[5] === unit[5])
          ?? there.sort((a, b) => Math.abs(a[2] - unit[2]) - Math.abs(b[2] - unit[2]))[0];
      }
    }
    if (!next) return;
    this.shown.forEach((group) => group.setAttribute("tabindex", "-1"));
    const target = this.shown[units.indexOf(next)];
    target.setAttribute("tabindex", "0");
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
    target.focus({ preventScroll: true });
  }
}
