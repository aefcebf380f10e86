import { render } from "ink-testing-library";
import { expect, test } from "vitest";
import { Prompt } from "../../src/ui/input/Prompt";

test("the live region draws its rows as they are, each on its own line", () => {
  const { lastFrame, rerender, unmount } = render(<Prompt rows={["❯ 你好", "status"]} caret={{ x: 6, y: 0 }} />);
  expect(lastFrame()).toBe("❯ 你好\nstatus");
  rerender(<Prompt rows={["one"]} caret={null} />);
  expect(lastFrame()).toBe("one");
  rerender(<Prompt rows={[]} caret={null} />);
  expect(lastFrame()).toBe("");
  unmount();
});
