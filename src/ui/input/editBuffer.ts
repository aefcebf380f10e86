/** The editor of the input box: an immutable draft, and one function for each thing that can be done to it. */

export {
  clearBuffer,
  continueLine,
  createBuffer,
  deleteBack,
  deleteForward,
  type EditBuffer,
  expandMarker,
  freshBuffer,
  insertPaste,
  insertText,
  isEmpty,
  redo,
  setText,
  textOf,
  undo,
} from "./draft";
export {
  killBlankWordBack,
  killToLineEnd,
  killToLineStart,
  killWordBack,
  killWordForward,
  yank,
  yankPop,
} from "./killRing";
export {
  moveEnd,
  moveLeft,
  moveLineEnd,
  moveLineStart,
  moveRight,
  moveStart,
  moveWordLeft,
  moveWordRight,
} from "./motions";
export { moveDown, moveUp, visualRows } from "./visualRows";
