/** Bytes to text and back: what cannot come back as the same bytes is never written. */

import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeText, encodedLength, encodeText, isBinary } from "../../src/shared/encoding";

const hex = (text: string) => Buffer.from(text, "hex");

describe("decodeText", () => {
  it.each([
    ["ASCII", "610a", "a\n", "utf-8", 0],
    ["UTF-8", "c3a9", "é", "utf-8", 0],
    ["UTF-8 with a mark", "efbbbf61", "a", "utf-8", 3],
    ["only a mark", "efbbbf", "", "utf-8", 3],
    ["nothing", "", "", "utf-8", 0],
    ["UTF-16 LE", "fffe61000a00", "a\n", "utf-16le", 2],
    ["UTF-16 BE", "feff0061d83dde00", "a😀", "utf-16be", 2],
    ["UTF-16 with half a pair", "fffe3dd8", "\ud83d", "utf-16le", 2],
  ])("%s", async (_kind, bytes, text, encoding, bomBytes) => {
    expect(await decodeText(hex(bytes))).toEqual({ text, encoding, bomBytes, isWritable: true, candidates: [] });
  });

  it.each([
    ["one accented letter", "636166e90a780a"],
    ["one stray byte", "6f6b200aff0a656e640a"],
    ["UTF-16 of odd length", "fffe6100ff"],
    ["an encoded surrogate", "eda080"],
  ])("reads %s as Latin-1 and does not write it", async (_kind, bytes) => {
    const decoded = await decodeText(hex(bytes));
    if (decoded.encoding === "latin1") expect(decoded.isWritable).toBe(false);
    else expect((await encodeText(decoded.text, decoded.encoding)).toString("hex")).toBe(bytes);
  });

  it.each([
    ["gb18030", "这是一个用来测试编码识别的文件，里面有不少常用的汉字。"],
    ["big5", "這是一個用來測試編碼識別的檔案，裡面有不少常用的漢字。"],
    ["shift_jis", "これは文字コードを判定するための試験用の文書です。カタカナも入ります。"],
    ["euc-kr", "이것은 문자 인코딩을 시험하기 위한 문서입니다. 한글이 많이 들어 있습니다."],
  ])("tells %s by its statistics in a long text", async (encoding, sentence) => {
    const decoded = await decodeText(iconv.encode(`${sentence}\n`.repeat(12), encoding));
    expect(decoded.encoding).toBe(encoding);
    expect(decoded.text.startsWith(sentence)).toBe(true);
  });

  it("takes the encoding that the person named, if it fits", async () => {
    const bytes = hex("c4e3bac30a");
    expect((await decodeText(bytes)).candidates.length).toBeGreaterThan(1);
    expect(await decodeText(bytes, "GB18030")).toMatchObject({ text: "你好\n", encoding: "gb18030", candidates: [] });
    expect((await decodeText(hex("61"), "big5")).encoding).toBe("utf-8");
  });

  it("gives back the same bytes for any input that it calls writable", async () => {
    const law = fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (array) => {
      const bytes = Buffer.from(array);
      const { text, encoding, bomBytes, isWritable } = await decodeText(bytes);
      if (!isWritable || (encoding === "utf-8" && /[\uD800-\uDFFF]/u.test(text))) return;
      const back = Buffer.concat([bytes.subarray(0, bomBytes), await encodeText(text, encoding)]);
      expect(back.equals(bytes)).toBe(true);
      expect(await encodedLength(text, encoding)).toBe(bytes.length - bomBytes);
    });
    await fc.assert(law, { numRuns: 500 });
  });
});

describe("encodeText", () => {
  it("refuses what an encoding cannot hold", async () => {
    await expect(encodeText("한", "big5")).rejects.toMatchObject({ code: "NotEncodable" });
    await expect(encodeText("\ud800", "utf-8")).rejects.toMatchObject({ code: "NotEncodable" });
    await expect(encodeText("a", "latin1")).rejects.toMatchObject({ code: "NotEncodable" });
    expect((await encodeText("한😀", "gb18030")).length).toBeGreaterThan(4);
  });
});

describe("isBinary", () => {
  it("goes by a NUL in the first 8 KB, UTF-16 with a mark aside", () => {
    expect(isBinary(hex("610062"))).toBe(true);
    expect(isBinary(hex("fffe6100"))).toBe(false);
    expect(isBinary(Buffer.concat([Buffer.alloc(8192, 97), hex("00")]))).toBe(false);
  });
});
