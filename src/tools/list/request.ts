/** What both forms of list_files are asked. */

import type { WorkspaceRoots } from "../../shared/paths";
import type { ReadablePath } from "../readable";

export interface ListRequest {
  folder: ReadablePath;
  roots: WorkspaceRoots;
  /** Most entries to show. */
  limit: number;
  includeIgnored: boolean;
  /** How far up .gitignore files count outside of a repository, absolute. */
  boundary: string;
  /** Paths below the folder that are shown though they are ignored. */
  tracked(): Promise<ReadonlySet<string>>;
  signal?: AbortSignal;
}
