/** Names of sessions: `YYYYMMDD-HHMMSS-xxxx`, safe as a file and as a git ref. */

import { randomInt } from "node:crypto";

const FORM = /^\d{8}-\d{6}-[0-9a-z]{4}$/;

/** A new id in local time; four base-36 characters keep two started in one second apart. */
export function createSessionId(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const tail = Array.from({ length: 4 }, () => randomInt(36).toString(36)).join("");
  return `${day}-${time}-${tail}`;
}

/** True for names that this program gives; anything else in the folder is left alone. */
export function isSessionId(name: string): boolean {
  return FORM.test(name);
}
