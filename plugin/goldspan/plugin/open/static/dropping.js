// @ts-check
/* Dropping: files and folders from a drop or a dialog, with their paths, sent to the server. */
import { post, put, Refused } from "./api.js";

const AT_ONCE = 4;
let most = Infinity;

/** Files that hold more together are not sent at all. @param {number} bytes */
export const mostBytes = (bytes) => { most = bytes; };

/** @typedef {{ name: string, file: File }} Named */

/** @param {FileSystemEntry} entry @returns {Promise<Named[]>} */
const walk = async (entry) => {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise((done, fail) => /** @type {FileSystemFileEntry} */ (entry).file(done, fail));
    return [{ name, file }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!some.length) return found;
    for (const one of some) found.push(...await walk(one));
  }
};

/** What was dropped. @param {DataTransfer} transfer @returns {Promise<Named[]>} */
export const dropped = async (transfer) => {
  // Entries must be taken before the first wait: the list is empty afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some(Boolean)) return chosen(transfer.files);
  const found = [];
  for (const entry of entries) if (entry) found.push(...await walk(entry));
  return found;
};

/** What was chosen in a dialog. @param {FileList | null} files @returns {Named[]} */
export const chosen = (files) => [...(files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));

/** Send the files; the name of the set. @param {Named[]} files @param {(sent: number) => void} say */
export const sendFiles = async (files, say) => {
  if (files.reduce((sum, one) => sum + one.file.size, 0) > most) {
    throw new Refused(413, { error: "too-large", say: `The files hold more than ${Math.floor(most / 2 ** 20)} MB.`, do: "Drop fewer, or give their path." });
  }
  const { data } = await post("/api/data", {});
  const waiting = [...files];
  let sent = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        await put(data, next.name, next.file);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
      sent += 1;
      say(sent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return data;
};
