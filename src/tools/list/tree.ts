/** A folder as a tree to some depth; what lies deeper is counted, not kept. */

import { placeName } from "../readable";
import { counted, grouped, onOneLine } from "../text";
import { walkFolders } from "../walk";
import type { ListRequest } from "./request";

interface Node {
  name: string;
  isFolder: boolean;
  /** Of a folder: all files below it. */
  files: number;
  children: Node[];
}

/** Folders first, each level two spaces deeper, folders past the depth as `src/ (31 files)`. */
export async function renderTree(request: ListRequest & { depth: number }): Promise<string> {
  const root = await readTree(request);
  const entries = countEntries(root);
  if (entries === 0) return `Nothing is in ${placeName(request.folder)}.`;
  const lines = render(root, shownNodes(root, request.limit), 0);
  if (entries > request.limit) {
    lines.push(`[${grouped(request.limit)} of ${grouped(entries)} entries. Narrow path or pattern.]`);
  }
  return lines.join("\n");
}

async function readTree(request: ListRequest & { depth: number }): Promise<Node> {
  const root: Node = { name: "", isFolder: true, files: 0, children: [] };
  /** Where the files of a folder are counted: the nodes from the root down to it, as far as the tree goes. */
  const lineages = new Map<string, Node[]>([["", [root]]]);
  for await (const { path, folders, files } of walkFolders(request.folder.realPath, request)) {
    const lineage = lineages.get(path) ?? [];
    lineages.delete(path);
    for (const node of lineage) node.files += files.length;
    const isShown = levelOf(path) < request.depth;
    const parent = isShown ? lineage.at(-1) : undefined;
    for (const name of folders) {
      const child: Node = { name, isFolder: true, files: 0, children: [] };
      parent?.children.push(child);
      lineages.set(path ? `${path}/${name}` : name, parent ? [...lineage, child] : lineage);
    }
    for (const { name } of files) parent?.children.push({ name, isFolder: false, files: 0, children: [] });
  }
  return root;
}

function levelOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

function countEntries(node: Node): number {
  return node.children.reduce((sum, child) => sum + 1 + countEntries(child), 0);
}

/** The entries that fit, level by level: the top of the tree is worth more than the bottom of its first folder. */
function shownNodes(root: Node, limit: number): Set<Node> {
  const shown = new Set<Node>();
  let level = root.children;
  while (level.length > 0 && shown.size < limit) {
    for (const node of level.slice(0, limit - shown.size)) shown.add(node);
    level = level.flatMap((node) => node.children);
  }
  return shown;
}

function render(node: Node, shown: Set<Node>, level: number): string[] {
  const indent = "  ".repeat(level);
  const children = node.children.filter((child) => shown.has(child));
  const left = node.children.length - children.length;
  const lines = children.flatMap((child) => [indent + label(child, shown), ...render(child, shown, level + 1)]);
  return left > 0 && children.length > 0 ? [...lines, `${indent}… ${grouped(left)} more`] : lines;
}

function label(node: Node, shown: Set<Node>): string {
  const name = onOneLine(node.name);
  if (!node.isFolder) return name;
  return node.children.some((child) => shown.has(child)) ? `${name}/` : `${name}/ (${counted(node.files, "file")})`;
}
