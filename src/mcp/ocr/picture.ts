/** A picture on its way to being read. */

export interface Picture {
  bytes: Buffer;
  /** Told by its first bytes. */
  mimeType: string;
}
