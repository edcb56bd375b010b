// @ts-check
/* Wave: the waveform of what is in view on one canvas, the whole recording on another. Peaks come from
   the server in three levels; the page never decodes a file. */

import { Refused, getAnswer } from "./api.js";

const LEVELS = [1, 10, 100];

/** Peaks of a recording, in chunks that are asked for once. */
export class Peaks {
  /** @param {number} n @param {number} file @param {() => void} ready */
  constructor(n, file, ready) {
    this.n = n;
    this.file = file;
    this.ready = ready;
    /** @type {Map<string, { first: number, pairs: Int8Array } | null>} */
    this.chunks = new Map();
    this.say = "";
  }

  /** The peaks of a window at the level that fills so many pixels; null until they are here.
   * @param {number} from @param {number} to @param {number} width */
  window(from, to, width) {
    const seconds = Math.max((to - from) / 1000, 0.001);
    const level = LEVELS.find((one) => one * seconds >= width) ?? LEVELS[LEVELS.length - 1];
    const size = Math.max(1, Math.ceil((width * 8) / level)) * 1000;
    const chunk = Math.floor(from / size);
    const parts = [];
    for (let at = chunk; at * size < to; at += 1) parts.push(this.chunk(level, at, size));
    return { level, parts: parts.filter((one) => one !== null && one !== undefined) };
  }

  /** @param {number} level @param {number} at @param {number} size */
  chunk(level, at, size) {
    const key = `${level} ${at} ${size}`;
    if (!this.chunks.has(key) && !this.say) {
      this.chunks.set(key, null);
      void this.load(key, level, at * size, (at + 1) * size);
    }
    return this.chunks.get(key);
  }

  /** @param {string} key @param {number} level @param {number} from @param {number} to */
  async load(key, level, from, to) {
    try {
      const answer = await getAnswer(`/api/peaks/${this.n}`, { level, from, to, file: this.file });
      const first = Number(answer.headers.get("X-Goldspan-First") ?? 0);
      this.chunks.set(key, { first, pairs: new Int8Array(await answer.arrayBuffer()) });
    } catch (error) {
      if (error instanceof Refused) this.say = error.message;
      else this.chunks.delete(key);
    }
    this.ready();
  }
}

/** @param {HTMLCanvasElement} canvas @param {Peaks | null} peaks @param {number} from @param {number} to
 * @param {(context: CanvasRenderingContext2D, x: (ms: number) => number, height: number, styles: CSSStyleDeclaration) => void} over */
export const drawWave = (canvas, peaks, from, to, over) => {
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (!width || !height) return;
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const styles = getComputedStyle(canvas);
  const x = (/** @type {number} */ ms) => ((ms - from) / Math.max(to - from, 1)) * width;
  over(context, x, height, styles);
  context.fillStyle = styles.getPropertyValue("--wave") || styles.color;
  const found = peaks?.window(from, to, width);
  if (!found) return;
  const middle = height / 2;
  /** @type {Map<number, [number, number]>} */
  const columns = new Map();
  for (const part of found.parts) {
    for (let at = 0; at < part.pairs.length; at += 2) {
      const column = Math.floor(x(((part.first + at / 2) / found.level) * 1000));
      if (column < 0 || column > width) continue;
      const kept = columns.get(column);
      if (kept) columns.set(column, [Math.min(kept[0], part.pairs[at]), Math.max(kept[1], part.pairs[at + 1])]);
      else columns.set(column, [part.pairs[at], part.pairs[at + 1]]);
    }
  }
  const step = Math.max(1, (1000 / found.level) * (width / Math.max(to - from, 1)));
  for (const [column, [low, high]] of columns) {
    const top = middle - (high / 128) * (middle - 2);
    const bottom = middle - (low / 128) * (middle - 2);
    context.fillRect(column, top, Math.max(1, Math.ceil(step)), Math.max(1, bottom - top));
  }
};
