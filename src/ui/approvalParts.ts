/** What an approval dialog shows of a call: the command, the changes as diffs, or every argument (guide 8.3). */

import type { FileChange, PermissionRequest } from "../shared/contracts";
import type { ApprovalPart } from "./dialogs/approval";

/** Working out a preview may read files; it must not keep a request from being asked. */
const PREVIEW_MS = 5_000;
/** Past this the two texts are shown instead of a diff. */
const DIFF_MS = 2_000;

export interface Proposal {
  parts: ApprovalPart[];
  /** Empty where nothing could be worked out. */
  changes: FileChange[];
}

/** Never rejects: where no preview can be had the arguments are shown, whole. */
export async function describeProposal(
  request: PermissionRequest,
  preview: (request: PermissionRequest) => Promise<FileChange[]>,
): Promise<Proposal> {
  if (typeof request.arguments["command"] === "string") return { parts: argumentParts(request), changes: [] };
  const changes = await inTime(preview(request), PREVIEW_MS).catch(() => null);
  if (changes === null)
    return { parts: [{ style: "note", text: "approvalNoPreview" }, ...argumentParts(request)], changes: [] };
  if (changes.length === 0) return { parts: argumentParts(request), changes };
  return { parts: await changeParts(changes), changes };
}

/** Each file with what happens to it, as a diff. */
export async function changeParts(changes: readonly FileChange[]): Promise<ApprovalPart[]> {
  return (await Promise.all(changes.map(partsOf))).flat();
}

function argumentParts(request: PermissionRequest): ApprovalPart[] {
  const entries = Object.entries(request.arguments).filter(([, value]) => value !== undefined && value !== null);
  const { command } = request.arguments;
  const first: ApprovalPart[] = typeof command === "string" ? [{ style: "code", label: "", text: command }] : [];
  const rest = entries.filter(([name]) => first.length === 0 || name !== "command");
  return [...first, ...rest.map(([name, value]) => argumentPart(name, value))];
}

function argumentPart(name: string, value: unknown): ApprovalPart {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const isShort = text.length <= 200 && !text.includes("\n");
  return isShort
    ? { style: "value", label: "", text: `${name}: ${text}` }
    : { style: "value", label: `${name}:`, text };
}

async function partsOf({ path, before, after }: FileChange): Promise<ApprovalPart[]> {
  const note = before === null ? "fileNew" : after === null ? "fileDeleted" : "";
  const head: ApprovalPart = { style: "path", label: note, text: path };
  const [old, fresh] = withoutCommonReturns(before ?? "", after ?? "");
  const diff = await unifiedDiff(path, old, fresh);
  if (diff !== null) return [head, { style: "diff", label: "", text: diff }];
  return [head, { style: "value", label: "-", text: old }, { style: "value", label: "+", text: fresh }];
}

/** Null when the texts differ too much for a diff to be worked out in time. */
async function unifiedDiff(path: string, before: string, after: string): Promise<string | null> {
  const loaded = await import("diff");
  return loaded.createTwoFilesPatch(path, path, before, after, "", "", { context: 3, timeout: DIFF_MS }) ?? null;
}

/** A file that has CR LF throughout is shown without the CR; where line ends differ, each CR is shown. */
function withoutCommonReturns(before: string, after: string): [string, string] {
  const isCrlf = (text: string) => text === "" || !/[^\r]\n|^\n|\r(?!\n)/.test(text);
  return isCrlf(before) && isCrlf(after)
    ? [before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n")]
    : [before, after];
}

function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("timeout")), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
