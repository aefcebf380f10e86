/** Choosing and describing a sandbox: options, machines without one, old versions, wrong ones. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createDefaultEngine, describeSandbox, resolveSandbox, wrapWithSandbox } from "../../src/index";
import { knownProbe, probe } from "../../src/sandbox/probe";
import { obstacle, runNow } from "./sandboxBench";

const missing = obstacle();
const isLinux = process.platform === "linux";
let workspace: string;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "zqagent-resolve-"));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
});

/** PATH for the running test: a folder with this program as bwrap (or none), and the system's shell. */
function machineWith(script?: string): string {
  const before = process.env.PATH;
  const folder = mkdtempSync(join(tmpdir(), "zqagent-bin-"));
  onTestFinished(() => {
    process.env.PATH = before;
    rmSync(folder, { recursive: true, force: true });
  });
  if (script !== undefined) {
    writeFileSync(join(folder, "bwrap"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "bwrap"), 0o755);
  }
  process.env.PATH = folder;
  return before ?? "";
}

describe.skipIf(!isLinux)("a machine without a sandbox", () => {
  test.each([
    ["nothing installed", undefined, /bwrap was not found on PATH/],
    [
      "one that is not permitted",
      "echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1",
      /uid map: Permission/,
    ],
    ["one that ends by a signal", "kill -9 $$", /does not work here/],
  ])("%s", async (_name, script, reason) => {
    machineWith(script);
    const plan = resolveSandbox({ mode: "auto" }, workspace);
    await probe(plan);
    expect(describeSandbox(plan)).toMatch(reason);
    expect(describeSandbox(plan)).toMatch(/^none .*commands run unconfined$/);
    expect(wrapWithSandbox(plan, ["ls", "-l"])).toEqual(["ls", "-l"]);
    expect(() => resolveSandbox({ mode: "required" }, workspace)).toThrow(reason);
    const options = { workspace, model: "m", sandbox: { mode: "required" as const } };
    expect(() => createDefaultEngine(options)).toThrow(/sandbox is required, but there is none/);
    const { permissions } = createDefaultEngine({ workspace, model: "m", shellPolicy: "sandbox" });
    expect(permissions.sandbox).toMatchObject({ mode: "auto", enforced: false });
    const execute = {
      category: "shell",
      riskLevel: "high" as const,
      capabilities: ["execute"],
      requiresApproval: true,
    };
    expect(permissions.evaluate("run_shell", { command: "ls" }, execute)).toMatchObject({ needsUser: true });
  });

  test("one that the workspace plants is not taken", () => {
    machineWith();
    writeFileSync(join(workspace, "bwrap"), "#!/bin/sh\nexit 0\n");
    chmodSync(join(workspace, "bwrap"), 0o755);
    process.env.PATH = `${workspace}:.:`;
    expect(resolveSandbox({}, workspace)).toMatchObject({ method: "none", program: "" });
  });

  test("switched off, nothing is looked for", () => {
    const plan = resolveSandbox({ mode: "off" }, workspace);
    expect(describeSandbox(plan)).toBe("off; commands run unconfined");
    expect(wrapWithSandbox(plan, ["ls"])).toEqual(["ls"]);
  });
});

describe("a machine with one", () => {
  beforeEach((ctx) => ctx.skip(missing !== undefined, missing));

  test("nothing is started until it matters; then the state is what a run showed", () => {
    const { permissions } = createDefaultEngine({ workspace, model: "m", shellPolicy: "sandbox" });
    const plan = resolveSandbox(undefined, workspace);
    expect(knownProbe(plan)).toBe(undefined);
    expect(describeSandbox(plan)).toMatch(/^bwrap if it works here, which the first command will show;/);
    expect(permissions.sandbox).toEqual({ mode: "auto", enforced: true });
    expect(describeSandbox(plan)).toMatch(
      /^bwrap; commands can write only in the workspace, the temporary folder; network on/,
    );
  });

  test("wrapped by hand", () => {
    const plan = resolveSandbox({ mode: "required" }, workspace);
    const outside = mkdtempSync(join(tmpdir(), "zqagent-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(workspace, "f"), "");
    const argv = wrapWithSandbox(plan, ["sh", "-c", `touch in; ls -A; touch /usr/x ${outside}/x`]);
    expect(runNow(argv, "/").text).toMatch(/^f\nin\ntouch: .*Read-only file system/);
  });

  test("an old version, which cannot forbid namespaces inside", () => {
    const program = resolveSandbox({}, workspace).program;
    const path = machineWith(
      `for arg in "$@"; do [ "$arg" = --disable-userns ] && { echo "bwrap: Unknown option $arg" >&2; exit 1; }; done; exec ${program} "$@"`,
    );
    process.env.PATH += `:${path}`;
    const plan = resolveSandbox({ mode: "required" }, workspace);
    const argv = wrapWithSandbox(plan, ["sh", "-c", "unshare -Urm mount -o remount,rw,bind / && touch /usr/PWN"]);
    expect(argv).not.toContain("--disable-userns");
    expect(runNow(argv, "/").status).not.toBe(0);
  });

  test("a workspace behind a link is its real folder", () => {
    mkdirSync(join(workspace, "real"));
    symlinkSync("real", join(workspace, "link"));
    const plan = resolveSandbox({ extraWritable: ["~/cache", "sub"] }, join(workspace, "link"));
    expect(plan.workspace).toBe(join(workspace, "real"));
    expect(plan.extraWritable).toEqual([join(process.env.HOME ?? "", "cache"), join(workspace, "real/sub")]);
  });
});

test.each([
  [{ mode: "maybe" }, /sandbox\.mode must be auto, off or required/],
  [{ extraWritable: "x" }, /sandbox\.extraWritable must be a list/],
  [{ extraWritable: ["/"] }, /sandbox\.extraWritable must not hold \//],
  [{ network: "no" }, /sandbox\.network must be true or false/],
])("wrong options are named: %j", (options, message) => {
  expect(() => resolveSandbox(options as never, workspace)).toThrow(message);
  expect(() => createDefaultEngine({ workspace, model: "m", sandbox: options as never })).toThrow(message);
});
