/** The whole of the screen for Ink: finished output above, once and for all; the live region below it. */

import { Static, Text } from "ink";
import { useSyncExternalStore } from "react";
import { Prompt } from "./input/Prompt";
import type { RowMarks } from "./RowMarks";
import type { ScreenStore } from "./ScreenStore";

export function App({ store, marks }: { store: ScreenStore; marks: RowMarks }) {
  const shot = useSyncExternalStore(store.subscribe, store.snapshot);
  return (
    <>
      <Static items={shot.printed}>{(rows, index) => <Text key={index}>{marks.batch(rows)}</Text>}</Static>
      <Prompt rows={marks.frame(shot.frame.rows)} caret={shot.frame.caret} />
    </>
  );
}
