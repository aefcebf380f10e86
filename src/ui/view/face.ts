/** What a dialog looks like, before it is fitted to the screen. */

export interface Caret {
  x: number;
  y: number;
}

/** What a kind of dialog looks like. `focus`: the body row that must be in sight. `caret` counts from the foot's first row. */
export interface Face {
  head: string[];
  body: string[];
  foot: string[];
  focus?: number;
  caret?: Caret;
}
