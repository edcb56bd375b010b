// @ts-check
/* Api: requests to the server. The key is in the address's fragment, which no request carries; it is
   kept for this tab and sent as a header. */

const KEY = "goldspan.key";

/** A sentence with its full stop. @param {string} text */
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What the server refused, in its own words. */
export class Refused extends Error {
  /** @param {number} status @param {Record<string, any>} body */
  constructor(status, body) {
    super([body.say || `The server answered ${status}.`, body.do].filter(Boolean).map(ended).join(" "));
    this.error = String(body.error ?? "");
  }
}

/** The key and the state that the address holds; the key is taken out of it.
    @returns {{ key: string, state: any }} */
export const takeAddress = () => {
  const [key, packed] = location.hash.slice(1).split("&s=");
  if (key) sessionStorage.setItem(KEY, key);
  let state = null;
  try {
    if (packed) state = JSON.parse(unpack(packed));
  } catch { /* a link that was cut off: the page begins as usual */ }
  history.replaceState(null, "", `${location.pathname}${packed ? `#&s=${packed}` : ""}`);
  return { key: sessionStorage.getItem(KEY) ?? "", state };
};

/** @param {any} state */
export const keepState = (state) => {
  history.replaceState(null, "", `${location.pathname}#&s=${pack(JSON.stringify(state))}`);
};

/** The address that opens the page with this state, with the key. @param {any} state */
export const linkTo = (state) => `${location.origin}/#${sessionStorage.getItem(KEY) ?? ""}&s=${pack(JSON.stringify(state))}`;

/** @param {string} text */
const pack = (text) => btoa(Array.from(new TextEncoder().encode(text), (one) => String.fromCodePoint(one)).join(""))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {string} packed */
const unpack = (packed) => {
  const bytes = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
};

/** @param {string} path @param {RequestInit} [init] */
const request = async (path, init = {}) => {
  const headers = { Authorization: `Bearer ${sessionStorage.getItem(KEY) ?? ""}`, ...(init.headers ?? {}) };
  let answer;
  try {
    answer = await fetch(path, { ...init, headers, cache: "no-store", redirect: "error" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, { say: "goldspan does not answer.", do: "Start goldspan open again.", error: "gone-away" });
  }
  if (answer.ok) return answer;
  throw new Refused(answer.status, await answer.json().catch(() => ({})));
};

let turns = 0;

/** The number of a call, of which the newest counts. */
export const nextTurn = () => ++turns;

/** @param {string} path */
export const get = async (path) => (await request(path)).json();

/** @param {string} path @param {any} body @param {AbortSignal} [signal] */
export const post = async (path, body, signal) => (await send(path, body, signal)).json();

/** @param {string} path @param {any} body @param {AbortSignal} [signal] */
export const send = (path, body, signal) => request(path, {
  method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal,
});

/** Delete a set of files. @param {string} data */
export const remove = (data) => request(`/api/data/${data}`, { method: "DELETE" });

/** @param {string} data @param {string} name @param {Blob} file */
export const put = (data, name, file) => request(`/api/data/${data}?name=${encodeURIComponent(name)}`, {
  method: "PUT", body: file, headers: { "Content-Type": "application/octet-stream" },
});
