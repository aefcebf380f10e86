/** Raw pixels as a PNG file, which is what every reader of pictures takes. */

import { crc32, deflateSync } from "node:zlib";

export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
  /** 1: grey, 3: RGB, 4: RGBA. */
  channels: 1 | 3 | 4;
}

const colourTypes = { 1: 0, 3: 2, 4: 6 };

/** Encodes 8 bits a channel, no filter, no interlace. */
export function encodePng({ data, width, height, channels }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = colourTypes[channels];
  const row = width * channels;
  const lines = Buffer.alloc((row + 1) * height);
  // Each row begins with its filter: none.
  for (let y = 0; y < height; y += 1) lines.set(data.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const out = Buffer.alloc(named.length + 8);
  out.writeUInt32BE(body.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE(crc32(named), named.length + 4);
  return out;
}
