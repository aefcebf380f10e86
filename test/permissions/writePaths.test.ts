/** Ways out of the workspace: dots, look-alike neighbours, links of every kind (guide 8.1 step 2). */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isWritable } from "../../src/permissions/writePaths";
import { isInside, realPathOf, WorkspaceRoots } from "../../src/shared/paths";

interface Place {
  base: string;
  ws: string;
  out: string;
}

function place(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "zqagent-paths-")));
  const [ws, out] = [join(base, "ws"), join(base, "out")];
  mkdirSync(ws);
  mkdirSync(out);
  return { base, ws, out };
}

interface Row {
  name: string;
  setup?(at: Place): void;
  path(at: Place): string;
  writable: boolean;
  workspace?(at: Place): string;
}

const rows: Row[] = [
  { name: "a new file inside", path: () => "src/new.ts", writable: true },
  { name: "dots that lead out", path: () => "../out/x", writable: false },
  { name: "dots that come back", path: () => "a/../../ws/x", writable: true },
  { name: "an absolute path outside", path: ({ out }) => join(out, "x"), writable: false },
  { name: "an absolute path inside", path: ({ ws }) => join(ws, "x"), writable: true },
  { name: "a neighbour with the same beginning", path: ({ ws }) => `${ws}-evil/x`, writable: false },
  {
    name: "a folder link out",
    setup: ({ ws, out }) => symlinkSync(out, join(ws, "l")),
    path: () => "l/x",
    writable: false,
  },
  {
    name: "a file link out",
    setup: ({ ws, out }) => {
      writeFileSync(join(out, "f"), "keep");
      symlinkSync(join(out, "f"), join(ws, "l"));
    },
    path: () => "l",
    writable: false,
  },
  {
    name: "a dangling link out",
    setup: ({ ws, out }) => symlinkSync(join(out, "new"), join(ws, "l")),
    path: () => "l",
    writable: false,
  },
  {
    name: "a link to a link",
    setup: ({ ws, out }) => {
      symlinkSync(out, join(ws, "a"));
      symlinkSync("a", join(ws, "b"));
    },
    path: () => "b/x",
    writable: false,
  },
  {
    name: "a link and then dots: the kernel leaves the link's target",
    setup: ({ ws, out }) => {
      mkdirSync(join(out, "d"));
      symlinkSync(join(out, "d"), join(ws, "a"));
    },
    path: () => "a/../x",
    writable: false,
  },
  {
    name: "missing parents under a link",
    setup: ({ ws, out }) => symlinkSync(out, join(ws, "a")),
    path: () => "a/n1/n2/x",
    writable: false,
  },
  {
    name: "a link that stays inside",
    setup: ({ ws }) => {
      mkdirSync(join(ws, "real"));
      symlinkSync("real", join(ws, "l"));
    },
    path: () => "l/x",
    writable: true,
  },
  {
    name: "a workspace that is a link itself",
    setup: ({ ws, out }) => symlinkSync(ws, join(out, "wslink")),
    workspace: ({ out }) => join(out, "wslink"),
    path: () => "x",
    writable: true,
  },
  {
    name: "a link that leads in circles",
    setup: ({ ws }) => symlinkSync("l", join(ws, "l")),
    path: () => "l",
    writable: true,
  },
  { name: "the home folder by its tilde", path: () => "~/x", writable: false },
];

test.each(rows)("$name", ({ setup, path, writable, workspace }) => {
  const at = place();
  setup?.(at);
  expect(isWritable(new WorkspaceRoots(workspace?.(at) ?? at.ws), path(at))).toBe(writable);
});

test("whatever is called writable lies inside, links and dots in any order", () => {
  const at = place();
  mkdirSync(join(at.ws, "d"));
  mkdirSync(join(at.out, "d"));
  symlinkSync(at.out, join(at.ws, "out-link"));
  symlinkSync("d", join(at.ws, "in-link"));
  const roots = new WorkspaceRoots(at.ws);
  const part = fc.constantFrom("..", ".", "d", "out-link", "in-link", "x", "ws", "out");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const path = parts.join("/");
      fc.pre(isWritable(roots, path));
      expect(isInside(at.ws, realPathOf(join(at.ws, path)))).toBe(true);
    }),
  );
});
