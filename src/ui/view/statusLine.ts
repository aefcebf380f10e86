/** The status line: mode, model, how full the context is, tokens, folder and branch; what does not fit is left out. */

import { visibleLine } from "../../render/sanitize";
import { cutLine, textWidth } from "../../render/width";
import type { SessionUsage } from "../../sessions/Session";
import { fill } from "../../shared/locales";
import { countText, folderText } from "./figures";
import type { Room } from "./room";

export interface Status {
  mode: string;
  model: string;
  usage: SessionUsage | null;
  folder: string;
  home: string;
  branch: string | null;
}

const DOT = " · ";

/** One row. Under 60 columns the place goes, under 30 all but the mode and what fits of the model. */
export function statusRow(status: Status, room: Room): string {
  const parts = [status.mode, visibleLine(status.model)];
  if (room.width >= 29) parts.push(...usageParts(status.usage, room));
  if (room.width >= 59) parts.push(placeText(status));
  const shown = parts.filter((part) => part !== "");
  while (shown.length > 1 && textWidth(shown.join(DOT)) > room.width) shown.pop();
  const [mode = "", ...rest] = shown;
  const row = `${room.paint(modeRole(mode), mode)}${room.paint("dim", rest.map((part) => DOT + part).join(""))}`;
  return cutLine(row, room.width);
}

/** Where nothing is asked any more, the mode must catch the eye. */
function modeRole(mode: string): "warn" | "accent" | "good" {
  if (mode === "auto") return "warn";
  return mode === "interactive" ? "good" : "accent";
}

function usageParts(usage: SessionUsage | null, { texts }: Room): string[] {
  if (!usage) return [];
  const { contextTokens, contextWindow, input, output } = usage;
  const percent = contextWindow > 0 ? Math.min(100, Math.round((contextTokens / contextWindow) * 100)) : null;
  const parts = percent === null ? [] : [fill(texts.statusContext, { percent })];
  if (input + output === 0) return parts;
  const count = `${usage.estimated ? "≈" : ""}${countText(input + output)}`;
  return [...parts, fill(texts.statusTokens, { count }), ...(usage.cost === undefined ? [] : [costText(usage.cost)])];
}

/** US dollars: to the cent, small sums to what can be told of them. */
function costText(dollars: number): string {
  return `$${dollars < 0.1 ? dollars.toFixed(4) : dollars.toFixed(2)}`;
}

function placeText({ folder, home, branch }: Status): string {
  const place = visibleLine(folderText(folder, home));
  return branch ? `${place} (${visibleLine(branch)})` : place;
}
