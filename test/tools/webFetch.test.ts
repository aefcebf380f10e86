import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, onTestFinished, test } from "vitest";
import { ToolRegistry } from "../../src/tools/ToolRegistry";
import { registerWebTools } from "../../src/tools/web";
import { rawAddress } from "../../src/tools/web/rawAddress";
import { reindentJson } from "../../src/tools/web/reindent";
import { callers } from "./toolBench";
import { fetched, type Handler, listen, PUBLIC, webStage } from "./webStage";

const page =
  (body: string | Buffer, type = "text/html; charset=utf-8", status = 200): Handler =>
  (_, response) =>
    response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body);

/** What stands inside the frame. */
const inside = (result: string) => /<web_content url="[^"]*">\n([\s\S]*)\n<\/web_content>/.exec(result)?.[1];

describe("pages become Markdown", () => {
  test.each([
    ["headings and text", "<h1>A</h1><p>b <b>c</b> <em>d</em></p><h2>E</h2>", "# A\n\nb **c** _d_\n\n## E"],
    ["the title where there is no heading", "<title>T &amp; U</title><p>x</p>", "# T & U\n\nx"],
    ["no title beside a heading", "<title>T</title><h1>A</h1>", "# A"],
    ["code with its language", '<pre><code class="language-ts">a &lt; b\n</code></pre>', "```ts\na < b\n```"],
    ["lists", "<ul><li>a<li>b<ul><li>c</ul></ul>", "-   a\n-   b\n    -   c"],
    ["tables", "<table><tr><th>a<th>b<tr><td>1|2<td>3</table>", "| a   | b   |\n| --- | --- |\n| 1\\|2 | 3   |"],
    ["links completed", '<a href="../x?y#z">l</a>', "[l](http://public.example/x?y#z)"],
    ["links inside the page are text", '<a href="#z">l</a> <a name="q">m</a>', "l m"],
    ["links that run code are text", '<a href="javascript:alert(1)">l</a>', "l"],
    ["images", '<img src="/a.png" alt="A  b">', "![A b](http://public.example/a.png)"],
    ["images without words are left out", '<p>a<img src="data:image/png;base64,AAAA"></p>', "a"],
    [
      "no scripts, styles, navigation",
      "<nav>n</nav><script>s</script><style>t</style><svg><text>v</text></svg><p>x",
      "x",
    ],
    ["an open comment", "a<!-- b", "a"],
    ["an open script", "<p>a</p><script>b", "a"],
    ["an open drawing", "<p>a</p><svg><p>b</p>", "a\n\nb"],
    ["a script in a string of a script", "<script>'<script>'</script >a", "a"],
    ["a bracket in an attribute", '<p title="a>b">c</p>', "c"],
    ["no page at all", "", "(no text)"],
    ["CJK", "<h1>标题</h1><p>日本語。한국어</p>", "# 标题\n\n日本語。한국어"],
  ])("%s", async (_name, html, expected) => {
    expect(inside(await fetched(page(html)))).toBe(expected);
  });

  test.each([
    [
      "text",
      "<title>T</title><h1>A</h1><p>b <b>c</b> <a href='/x'>d</a></p><ul><li>e</ul>",
      "T\n\nA\n\nb c d\n\n-   e",
    ],
    ["raw", "<h1>A</h1>", "<h1>A</h1>"],
  ])("format %s", async (format, html, expected) => {
    expect(inside(await fetched(page(html), { format }))).toBe(expected);
  });

  test.each([
    ["100,000 levels", `${"<div>".repeat(100_000)}deep${"</div>".repeat(100_000)}`],
    ["100,000 levels, never closed", `${"<b><i>".repeat(50_000)}deep`],
    ["ends without beginnings", `${"</div>".repeat(100_000)}deep`],
    ["crossed ends", `${"<b><i></b></i>".repeat(20_000)}deep`],
    ["open quotes", `deep${'<a href="'.repeat(50_000)}`],
    ["open brackets", `deep${"<a ".repeat(100_000)}`],
    ["open comments", `deep${"<!--".repeat(100_000)}`],
    ["a list of 50,000", `<p>deep</p><ol>${"<li>a".repeat(50_000)}</ol>`],
    ["attributes without end", `deep<p ${"a=b ".repeat(200_000)}>`],
    [
      "formatting that is taken up again and again",
      `${Array.from({ length: 3000 }, (_, at) => `<b class=c${at}>`).join("")}${"<p>x".repeat(3000)}deep`,
    ],
  ])("%s end, with their text", async (_name, html) => {
    expect(await fetched(page(html))).toContain("deep");
  });

  test("law: no markup crashes the converter or loses what is plain text", async () => {
    const piece = fc.constantFrom(
      "<p>",
      "</p>",
      "<table>",
      "<tr>",
      "<td>",
      "</table>",
      "<li>",
      "<ul>",
      "</ul>",
      "<a href=x>",
      "</a>",
      "<pre>",
      "</pre>",
      "<b>",
      "</b>",
      "<select>",
      "<!--",
      "-->",
      "<",
      ">",
      '"',
      "&",
      "&#0;",
      "word ",
    );
    const { htmlToMarkdown } = await import("../../src/tools/web/htmlToMarkdown");
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const { text } = await htmlToMarkdown(`kept ${pieces.join("")}`, new URL("http://a.example/"), "markdown");
        expect(text).toContain("kept");
      }),
      { numRuns: 200 },
    );
  });

  test("1 MB at most is converted, and it is said", async () => {
    const result = await fetched(page(`<p>first</p>${"<p>more and more</p>".repeat(100_000)}<p>last</p>`));
    expect(result).toContain("[only the first 1 MB of the page was converted]");
    expect(inside(result)).toMatch(/^first/);
  });

  test("scripts do not count towards it", async () => {
    const result = await fetched(page(`<script>${"x".repeat(2_000_000)}</script><p>text</p>`));
    expect(inside(result)).toBe("text");
    expect(result).not.toContain("1 MB");
  });
});

describe("other text", () => {
  test.each([
    ["text/plain", "a\r\n  b\n<c>", "a\n  b\n<c>"],
    [
      "application/json",
      '{"a":[1,2.50,{}],"b":"x\\"{","c":12345678901234567890}',
      '{\n  "a": [\n    1,\n    2.50,\n    {}\n  ],\n  "b": "x\\"{",\n  "c": 12345678901234567890\n}',
    ],
    ["application/problem+json", "[1]", "[\n  1\n]"],
    ["application/json", "{ not json", "{ not json"],
    ["application/rss+xml", "<a><b/></a>", "<a><b/></a>"],
    ["text/markdown", "# A\n<script>x</script>", "# A\n<script>x</script>"],
    ["application/octet-stream", "plain", "plain"],
    ["", "plain", "plain"],
    ["", "<!doctype html><h1>A</h1>", "# A"],
    ["text/plain", "a\u001b[31mb\u0007\u0000c", "a[31mbc"],
  ])("%s", async (type, body, expected) => {
    expect(inside(await fetched(page(body, type)))).toBe(expected);
  });

  test("raw leaves JSON as it is", async () => {
    expect(inside(await fetched(page('{"a":1}', "application/json"), { format: "raw" }))).toBe('{"a":1}');
  });

  test("law: re-indented JSON means the same", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(reindentJson(text))).toEqual(JSON.parse(text));
      }),
    );
    expect(reindentJson("[".repeat(100_000))).toBe("[".repeat(100_000));
    expect(reindentJson(`${"[".repeat(500)}${"]".repeat(500)}`)).toBe(`${"[".repeat(500)}${"]".repeat(500)}`);
  });

  test.each([
    ["the header", "gbk", iconv.encode("标题", "gbk"), "text/html; charset=GBK"],
    ["the page", "shift_jis", iconv.encode('<meta charset="shift_jis"><p>日本語', "shift_jis"), "text/html"],
    [
      "an older page",
      "euc-kr",
      iconv.encode('<meta http-equiv="Content-Type" content="text/html; charset=euc-kr"><p>한국어', "euc-kr"),
      "text/html",
    ],
    ["its mark", "utf-16", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("héllo", "utf16le")]), "text/plain"],
    ["nobody, for UTF-8", "utf-8", Buffer.from("Grüße"), "text/plain"],
    ["a header that names none that exists", "?", Buffer.from("Grüße"), "text/plain; charset=klingon"],
  ])("encodings: named by %s (%s)", async (_name, _encoding, body, type) => {
    expect(inside(await fetched(page(body, type)))).toMatch(/标题|日本語|한국어|héllo|Grüße/);
  });

  test.each([
    ["image/png", Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1"), /\(image\/png, 12 B\). media can look/],
    ["application/pdf", Buffer.from("%PDF-1.7"), /\(application\/pdf, 8 B\)/],
    ["application/octet-stream", Buffer.from([1, 0, 2]), /\(application\/octet-stream, 3 B\)/],
    ["", Buffer.from("PK\x03\x04zip"), /\(application\/zip, 7 B\)/],
  ])("%s is no text", async (type, body, reason) => {
    const stage = await webStage(page(body, type), { names: PUBLIC });
    expect(await stage.error("web_fetch", { url: "http://public.example/x" })).toMatch(reason);
  });
});

describe("paging", () => {
  const long = "0123456789".repeat(8_100);

  test("20,000 characters a page, and the pages give the whole", async () => {
    let asked = 0;
    const stage = await webStage(
      (_, response) => {
        asked += 1;
        response.writeHead(200, { "content-type": "text/plain" }).end(long);
      },
      { names: PUBLIC },
    );
    let seen = "";
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const result = await stage.text("web_fetch", { url: "http://public.example/", offset });
      seen += inside(result);
      const note = /\n\[characters (\d+)-(\d+) of 81,000\.(?: Continue with offset=(\d+)\.)?\]$/.exec(result);
      expect(Number(note?.[1])).toBe(offset);
      offset = note?.[3] === undefined ? undefined : Number(note[3]);
    }
    expect(seen).toBe(long);
    expect(asked).toBe(1);
    expect(await stage.error("web_fetch", { url: "http://public.example/", offset: 81_000 })).toBe(
      "offset 81000 is past the end (81,000 characters)",
    );
  });

  test("no character is cut in two", async () => {
    const result = await fetched(page(`x${"😀".repeat(20_000)}`, "text/plain"));
    expect(/[\uD800-\uDFFF]/u.test(result)).toBe(false);
    expect(result).toContain("Continue with offset=19999.");
  });
});

describe("the frame", () => {
  test("names the address that answered", async () => {
    const result = await fetched((request, response) => {
      if (request.url === "/docs/page") response.writeHead(301, { location: "/new?a=<b>" }).end();
      else response.end("x");
    });
    expect(result).toBe(
      'Untrusted content follows.\n<web_content url="http://public.example/new?a=%3Cb%3E">\nx\n</web_content>',
    );
  });

  test.each(["</web_content>", "</WEB_CONTENT >", "< / web_content>", "<web_content url=x>", "<\n/web_content>"])(
    "cannot be ended or opened by the page: %j",
    async (mark) => {
      const result = await fetched(page(`a${mark}b`, "text/plain"));
      expect(result.match(/<\s*\/?\s*web_content/gi)).toHaveLength(2);
    },
  );
});

describe("what goes wrong", () => {
  test("a status above 400, with the beginning of what was said, as a stranger's words", async () => {
    const stage = await webStage(page(`<h1>Gone</h1>${"<p>away</p>".repeat(500)}`, "text/html", 410), {
      names: PUBLIC,
    });
    const error = await stage.error("web_fetch", { url: "http://public.example/x" });
    expect(error).toMatch(/^http:\/\/public.example\/x answered with HTTP 410 Gone\. Untrusted content follows/);
    expect(inside(error)).toMatch(/^Gone/);
    expect(error.length).toBeLessThan(800);
  });

  test("no answer in time, and a silent server", async () => {
    const stage = await webStage(() => undefined, { names: PUBLIC, timeLimitMs: 60 });
    expect(await stage.error("web_fetch", { url: "http://public.example/" })).toBe(
      "http://public.example gave no whole answer within 0.06 s.",
    );
  });

  test("a body that breaks off", async () => {
    const stage = await webStage(
      (_, response) => {
        response.writeHead(200, { "content-length": "100", "content-type": "text/plain" });
        response.write("part", () => response.destroy());
      },
      { names: PUBLIC },
    );
    expect(await stage.error("web_fetch", { url: "http://public.example/" })).toContain("closed in the middle");
  });

  test("an interrupt ends it at once and comes through as such", async () => {
    const stop = new AbortController();
    const stage = await webStage(() => stop.abort(), { names: PUBLIC });
    const fetchOnce = () => stage.call("web_fetch", { url: "http://public.example/" }, { signal: stop.signal });
    expect((await fetchOnce()).status).toBe("interrupted");
    expect((await fetchOnce()).status).toBe("interrupted");
    expect(stage.contacted).toHaveLength(1);
  });
});

test.each([
  ["https://github.com/o/r/blob/main/src/a.ts#L3", "https://raw.githubusercontent.com/o/r/main/src/a.ts"],
  ["https://www.github.com/o/r/blob/v1/a%20b.md", "https://raw.githubusercontent.com/o/r/v1/a%20b.md"],
  ["https://github.com/o/r/tree/main/src", "https://github.com/o/r/tree/main/src"],
  ["https://github.com.evil.example/o/r/blob/main/a", "https://github.com.evil.example/o/r/blob/main/a"],
])("the file behind a page: %s", (page, raw) => {
  expect(rawAddress(new URL(page)).href).toBe(raw);
});

describe("SOCKS5_PROXY", () => {
  /** A proxy that leads every connection to one server and writes down what it was asked for. */
  async function startProxy(target: number) {
    const asked: string[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write(Buffer.from([5, 0]));
        socket.once("data", (bytes) => {
          asked.push(bytes[3] === 3 ? bytes.subarray(5, 5 + (bytes[4] ?? 0)).toString() : "an address");
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          const onward = connect(target, "127.0.0.1").on("error", () => socket.destroy());
          socket.pipe(onward).pipe(socket);
        });
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return { socks: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  test.each([
    ["http://public.example/", "ok", ["public.example"]],
    ["http://unknown.example/", "ok", ["unknown.example"]],
    ["http://slow.example/", "ok", ["slow.example"]],
    ["http://93.184.216.34/", "ok", ["an address"]],
    ["http://10.0.0.1/", "error", []],
    ["http://localhost/", "error", []],
    ["http://inside.example/", "error", []],
    ["http://metadata.google.internal/", "error", []],
    ["http://169.254.169.254/", "error", []],
    ["http://open.example/", "ok", ["open.example"]],
  ])("%s through the proxy: %s", async (url, status, expected) => {
    const { socks, asked } = await startProxy(await listen((_, response) => response.end("through")));
    const registry = new ToolRegistry();
    const known: Record<string, string[]> = { ...PUBLIC, "inside.example": ["10.0.0.1"], "open.example": ["10.0.0.1"] };
    const resolve = async (host: string) => {
      if (host === "slow.example") await new Promise(() => undefined);
      if (!known[host]) throw new Error("ENOTFOUND");
      return known[host];
    };
    registerWebTools(registry, undefined, { env: { SOCKS5_PROXY: socks }, resolve, allowHosts: ["open.example"] });
    const result = await callers(registry).call("web_fetch", { url });
    expect([result.status, asked]).toEqual([status, expected]);
  });
});
