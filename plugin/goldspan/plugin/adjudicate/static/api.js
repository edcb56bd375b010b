// @ts-check
/* Api: requests to the server. The key is in the address's fragment, which no request carries; it is
   kept for this tab and sent as a header. An event is sent again with the same id until an answer
   comes, so that it is stored once whatever happens between. */

const KEY = "goldspan.key";
const PENDING = "goldspan.pending";
const PAUSES = [300, 600, 1200, 2500, 4000];

/** What the server refused, in its own words. */
export class Refused extends Error {
  /** @param {number} status @param {Record<string, any>} body */
  constructor(status, body) {
    super([body.say || `The server answered ${status}.`, body.do].filter(Boolean).join(" "));
    this.status = status;
    this.error = String(body.error ?? "");
    this.site = body.site ?? null;
  }
}

/** The server does not answer. */
export class Gone extends Error {}

/** Take the key out of the address, so that it is not in a bookmark or a screenshot. */
export const takeKey = () => {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY) ?? "";
};

/** `?by=NAME` in the page's address: who works in this tab, if not the server's adjudicator. */
const BY = new URLSearchParams(location.search).get("by") ?? "";

/** @param {Record<string, any>} params */
export const queryString = (params) => {
  const found = new URLSearchParams();
  if (BY) found.set("by", BY);
  for (const [key, value] of Object.entries(params)) {
    if (value !== "" && value !== null && value !== undefined && value !== false) found.set(key, String(value));
  }
  const text = found.toString();
  return text ? `?${text}` : "";
};

/** @param {string} path @param {RequestInit} [init] */
const request = async (path, init = {}) => {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`, ...(init.headers ?? {}) };
  let answer;
  try {
    answer = await fetch(path, { ...init, headers, cache: "no-store", redirect: "error" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Gone("The server does not answer.");
  }
  if (answer.ok) return answer;
  if ([502, 503, 504].includes(answer.status)) throw new Gone("The server does not answer.");
  let body = {};
  try {
    body = await answer.json();
  } catch { /* not JSON: the status says it */ }
  throw new Refused(answer.status, body);
};

/** @param {string} path @param {Record<string, any>} [params] @param {AbortSignal} [signal] */
export const get = async (path, params = {}, signal = undefined) =>
  (await request(path + queryString(params), { signal })).json();

/** An answer that is not JSON. @param {string} path @param {Record<string, any>} [params] */
export const getAnswer = (path, params = {}) => request(path + queryString(params));

/** @param {string} path @param {any} body @param {Record<string, any>} [params] */
export const post = async (path, body, params = {}) => {
  const headers = { "Content-Type": "application/json" };
  return (await request(path + queryString(params), { method: "POST", headers, body: JSON.stringify(body) })).json();
};

/** An id that grows with time (UUID version 7). */
export const newId = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let now = Date.now();
  for (let at = 5; at >= 0; at -= 1) {
    bytes[at] = now % 256;
    now = Math.floor(now / 256);
  }
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

/** Ask again until the server answers. @template T @param {() => Promise<T>} ask
 * @param {(tries: number) => void} waiting  called before each further try @returns {Promise<T>} */
export const patiently = async (ask, waiting) => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      waiting(tries + 1);
      await new Promise((done) => setTimeout(done, PAUSES[Math.min(tries, PAUSES.length - 1)]));
    }
  }
};

/** The event that was sent and not answered before the page was reloaded, if there is one. */
export const pending = () => {
  const kept = sessionStorage.getItem(PENDING);
  return kept ? JSON.parse(kept) : null;
};

/** Store an event: send it until there is an answer.
 * @param {Record<string, any>} event @param {Record<string, any>} query  what the next sites come from
 * @param {(tries: number) => void} waiting  called before each further try */
export const record = async (event, query, waiting) => {
  sessionStorage.setItem(PENDING, JSON.stringify({ event, query }));
  try {
    return await patiently(() => post("/api/events", event, query), waiting);
  } finally {
    sessionStorage.removeItem(PENDING);
  }
};
