/** Ids of tool calls: made where a server gives none, and mapped at the wire to a form that every endpoint takes. */

import { createHash } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 9;

/** A new id of nine alphanumerics that is not in `taken`: `zq` and a counter, so that a replay gives the same ids. */
export function newCallId(taken: ReadonlySet<string>): string {
  let serial = taken.size + 1;
  while (taken.has(numbered(serial))) serial += 1;
  return numbered(serial);
}

function numbered(serial: number): string {
  return `zq${String(serial).padStart(LENGTH - 2, "0")}`;
}

/** True for ids that no endpoint is known to refuse, short of those that want exactly nine alphanumerics. */
export function isPlainId(id: string): boolean {
  return /^[a-zA-Z0-9_-]{1,40}$/.test(id);
}

/** The id as exactly nine alphanumerics; the same id always gives the same one. */
export function nineCharacterId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  const bytes = createHash("sha1").update(id).digest();
  return Array.from(bytes.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}
