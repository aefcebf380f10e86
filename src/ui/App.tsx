/** The whole of the screen for Ink: finished output above, once and for all; the live region below it. */

import { Static } from "ink";
import { useSyncExternalStore } from "react";
import { Prompt } from "./input/Prompt";
import { Rows } from "./Rows";
import type { ScreenStore } from "./ScreenStore";

export function App({ store }: { store: ScreenStore }) {
  const shot = useSyncExternalStore(store.subscribe, store.snapshot);
  return (
    <>
      <Static items={shot.printed}>{(rows, index) => <Rows key={index} rows={rows} />}</Static>
      <Prompt rows={shot.frame.rows} caret={shot.frame.caret} />
    </>
  );
}
