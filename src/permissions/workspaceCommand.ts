/**
 * The path judgement of `shellPolicy: "workspace"` where no sandbox is in effect (guide 8.4): a way to ask less, not a
 * boundary. A command passes when all its words are literal and every path in it lies inside.
 */

import { isAbsolute } from "node:path";
import { forEachChild, parse, type SyntaxNode } from "unbash";
import type { WorkspaceRoots } from "../shared/paths";
import { parseCommand } from "./commandParse";
import { hasProtectedName } from "./protectedFiles";
import { isRememberedExactly } from "./runners";
import { isWritable } from "./writePaths";

const MAX_LENGTH = 10_000;
/** Kinds of syntax that this judgement understands. */
const known = new Set(
  [
    "Script Statement Command Pipeline AndOr Word Literal SingleQuoted DoubleQuoted Glob Redirect FileDescriptor",
  ].flatMap((names) => names.split(" ")),
);

/** True when nothing in the command names a place outside. */
export function staysInside(roots: WorkspaceRoots, command: string, cwd = "."): boolean {
  if (command.length > MAX_LENGTH || process.platform === "win32" || hidesSomething(command)) return false;
  const script = parse(command);
  if (script.errors?.length || script.commands.length === 0) return false;
  return isWritable(roots, cwd) && isInside({ roots, cwd }, script);
}

/** The character rules of the allow list hold here too; they are read off a command made of the same characters. */
function hidesSomething(command: string): boolean {
  const parsed = parseCommand(`:${command.replace(/[;&|<>`(\n\\'"$#{}*?[\]~]/g, "_")}`);
  return "why" in parsed;
}

/** Where the command runs. */
interface Place {
  roots: WorkspaceRoots;
  cwd: string;
}

function isInside(place: Place, node: SyntaxNode): boolean {
  if (!known.has(node.type) || ("text" in node && node.type === "Word" && node.text.includes("\\"))) return false;
  if (node.type === "Word" && !wordIsInside(place, node.value)) return false;
  if (node.type === "Command" && !programIsPlain(node.name?.value, node.args.length)) return false;
  let inside = true;
  forEachChild(node, (child) => {
    inside &&= isInside(place, child);
  });
  return inside;
}

/** Programs that run what they are given, and `cd` to the home folder, say nothing about where they write. */
function programIsPlain(program: string | undefined, args: number): boolean {
  if (!program || isRememberedExactly(program)) return false;
  return !(/^(cd|pushd|popd)$/.test(program) && args === 0);
}

/** A plain word may be a link that leads out, so every word is looked at as a path. */
function wordIsInside({ roots, cwd }: Place, word: string): boolean {
  if (word.startsWith("~") || hasProtectedName(word)) return false;
  const readings = [word, ...word.split(/[=:,@]/), word.replace(/^-[A-Za-z]/, "")];
  return readings.every(
    (reading) => reading === "/dev/null" || isWritable(roots, isAbsolute(reading) ? reading : `${cwd}/${reading}`),
  );
}
