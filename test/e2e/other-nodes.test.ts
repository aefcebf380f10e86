/** The built command on every other line of Node that is given: version, a run without a screen, the screen. */
import { describe, expect, test } from "vitest";
import { otherNodes } from "../support/otherNodes";
import { answer, ask, CTRL_D } from "./keys";
import { openWorkshop } from "./workshop";

const script = [
  { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
  { calls: [{ name: "replace_in_file", args: { path: "a.txt", old_string: "one", new_string: "two" } }] },
  { calls: [{ name: "run_shell", args: { command: "cat a.txt > b.txt" } }] },
  { text: "Done, **all** of it." },
];

describe.each(otherNodes)("on %s", (node) => {
  test("--version", async () => {
    const place = await openWorkshop({}, []);
    const { code, stdout, stderr } = await place.run(["--version"], { node });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("a prompt piped in", async () => {
    const place = await openWorkshop({ "a.txt": "one\n" }, script);
    const { code, stdout, stderr } = await place.run(["--mode", "auto"], { node, input: "change it" });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("Done, **all** of it.");
    expect(stderr).not.toMatch(/warning/i);
    expect([place.read("a.txt"), place.read("b.txt")]).toEqual(["two\n", "two\n"]);
  });

  test("the screen", async () => {
    const place = await openWorkshop({ "a.txt": "one\n" }, script);
    const pty = place.open([], { node });
    await ask(pty, "change it");
    await answer(pty, "y");
    await pty.waitFor("cat a.txt > b.txt");
    await answer(pty, "y");
    await pty.waitForBuffer("Done, all of it.");
    expect(pty.raw).not.toMatch(/warning/i);
    pty.send(CTRL_D);
    expect(await pty.exited).toBe(0);
    expect(place.read("b.txt")).toBe("two\n");
  });
});

test.skipIf(otherNodes.length > 0)("other lines of Node: none is named by ZQAGENT_NODE_BINARIES", (context) => {
  context.skip("Set ZQAGENT_NODE_BINARIES to paths of node to try the command on them.");
});
