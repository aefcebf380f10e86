import { describe, expect, it } from "vitest";
import { generateSessionName, sanitizeSessionName, shouldAutoName } from "../../src/engine/sessionNaming";
import type { ProviderClient } from "../../src/shared/contracts";
import { ScriptedProvider } from "../support/scriptedProvider";

describe("sanitizeSessionName", () => {
  it.each([
    ['"Fix the parser."', "Fix the parser"],
    ["**Fix** `the` parser\nbecause it is broken", "Fix the parser"],
    ["\n\n  # Title\n", "Title"],
    ["<think>hm\nhm</think>\nAdd tests", "Add tests"],
    ["修复解析器。", "修复解析器"],
    ["「直す」", "直す"],
    ["a\u001b[31mred\u202e", "a[31mred"],
    ["", ""],
    ["x".repeat(200), "x".repeat(60)],
  ])("%j becomes %j", (raw, name) => expect(sanitizeSessionName(raw)).toBe(name));
});

describe("a session", () => {
  const talk = [
    { role: "system" as const, content: "s" },
    { role: "user" as const, content: "<environment>\nhere\n</environment>\n\nfix the parser" },
    { role: "assistant" as const, content: "done" },
  ];

  it("can be named once there is a prompt and an answer", () => {
    expect(shouldAutoName(talk)).toBe(true);
    expect(shouldAutoName(talk.slice(0, 2))).toBe(false);
    expect(
      shouldAutoName([
        { role: "user", content: "<system-reminder>x</system-reminder>", origin: "reminder" },
        { role: "assistant", content: "y" },
      ]),
    ).toBe(false);
  });

  it("is named by the person's own words", async () => {
    const provider = new ScriptedProvider([{ text: "Fix the parser" }]);
    expect(await generateSessionName(provider, "m", { messages: talk, prompt: "Name it." })).toBe("Fix the parser");
    const asked = String(provider.requests[0]?.messages[1]?.content);
    expect(asked).toContain("fix the parser");
    expect(asked).not.toContain("environment");
  });

  it("stays without a name when the model fails", async () => {
    const provider = {
      chat: () => Promise.reject(new Error("no")),
      stream: () => Promise.reject(new Error("no")),
    } as ProviderClient;
    expect(await generateSessionName(provider, "m", { messages: talk, prompt: "x" })).toBeNull();
  });
});
