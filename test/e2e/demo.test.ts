import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { APPROVAL, answer, CTRL_D, PROMPT } from "./keys";
import { openWorkshop } from "./workshop";

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("zqagent-demo-"));

test("without a terminal it runs through and prints the transcript", async () => {
  const place = await openWorkshop({}, []);
  const { code, stdout } = await place.run(["demo"], { env: { OPENAI_API_KEY: "", OPENAI_MODEL: "" } });
  expect(code).toBe(0);
  for (const shown of [/run_shell node --test/, /not ok|✖/, /count >= 10/, /All tests pass/, /rollback --turn 0/])
    expect(stdout).toMatch(shown);
  expect(place.server.requests).toHaveLength(0);
});

test("on a terminal it is the real screen: three questions, a diff, an answer, and a way back", async () => {
  const place = await openWorkshop({}, []);
  const before = leftovers();
  const pty = place.open(["demo"], {
    rows: 40,
    cols: 100,
    env: { OPENAI_API_KEY: "", OPENAI_MODEL: "", LANG: "zh_CN.UTF-8" },
  });
  await answer(pty, "y");
  await pty.waitFor(APPROVAL, 20_000);
  await pty.waitFor("count >= 10");
  await answer(pty, "y");
  await answer(pty, "y");
  await pty.waitForBuffer("所有测试都通过了", 20_000);
  await pty.waitFor(PROMPT);
  pty.send(CTRL_D);
  expect(await pty.exited).toBe(0);
  expect(leftovers().filter((name) => !before.includes(name) && existsSync(name))).toEqual([]);
});
