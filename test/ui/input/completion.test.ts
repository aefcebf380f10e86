import { describe, expect, it } from "vitest";
import { acceptChoice, completeCommand, moveSelection } from "../../../src/ui/input/completion";
import { createBuffer, insertText, moveLeft, textOf } from "../../../src/ui/input/editBuffer";

const commands = ["/help", "/model", "/mode", "/new", "/compact", "/rollback"].map((name) => ({
  name,
  description: `about ${name}`,
}));
const offered = (text: string) =>
  completeCommand(createBuffer(text), commands)?.choices.map((choice) => choice.value) ?? null;

describe("commands", () => {
  it.each<[string, string[] | null]>([
    ["/", ["/help", "/model", "/mode", "/new", "/compact", "/rollback"]],
    ["/mod", ["/model", "/mode"]],
    ["/OM", ["/compact"]],
    ["/rb", ["/rollback"]],
    ["/xyz", null],
    ["/model x", null],
    ["text /m", null],
    ["", null],
  ])("for %j", (text, expected) => expect(offered(text)).toEqual(expected));

  it("are not offered while the caret stands inside", () => {
    expect(completeCommand(moveLeft(createBuffer("/mod")), commands)).toBeNull();
  });

  it("are chosen round and round", () => {
    const list = completeCommand(createBuffer("/mod"), commands)!;
    expect(moveSelection(list, -1).selected).toBe(1);
    expect(moveSelection(moveSelection(list, 1), 1).selected).toBe(0);
  });

  it("replace what was typed, with room to go on", () => {
    const buffer = insertText(createBuffer(), "/mod");
    const list = moveSelection(completeCommand(buffer, commands)!, 1);
    expect(textOf(acceptChoice(buffer, list))).toBe("/mode ");
  });
});
