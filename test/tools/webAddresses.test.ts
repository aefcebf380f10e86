import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { PermissionEngine } from "../../src/permissions/PermissionEngine";
import { addressClassOf } from "../../src/shared/net/addressClass";
import { listen, PUBLIC, webStage } from "./webStage";

interface Case {
  id: string;
  kind: string;
  url: string;
  expect: "block" | "block-or-ask" | "ask" | "allow" | "error" | "truncated" | "ok";
  resolve?: Record<string, string[]>;
  resolveSequence?: Record<string, string[][]>;
  redirects?: string[];
  body?: string;
  bodyGen?: string;
  approvedHost?: string;
  via?: string;
}

const { cases } = JSON.parse(readFileSync(join(__dirname, "cases/ssrf.json"), "utf8")) as { cases: Case[] };
/** What is asked by the permission engine, or belongs to MCP, has its tests there. */
const own = cases.filter(({ via }) => via === undefined);

/** Bodies that are described in the cases. */
const BODIES: Record<string, (response: ServerResponse) => void> = {
  "gzip of 1 GiB of zero bytes": (response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
    const gzip = createGzip();
    gzip.pipe(response);
    const zeros = Buffer.alloc(1024 * 1024);
    let left = 1024;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        if (!gzip.write(zeros)) return void gzip.once("drain", more);
      }
      gzip.end();
    };
    response.on("close", () => gzip.destroy());
    more();
  },
  "1 KiB a second for ever": (response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const send = () => response.write("x".repeat(1024));
    send();
    const timer = setInterval(send, 20);
    response.on("close", () => clearInterval(timer));
    onTestFinished(() => clearInterval(timer));
  },
  "<div> 100000 times": (response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(`${"<div>".repeat(100_000)}deep`);
  },
};

async function play(one: Case) {
  let hop = 0;
  const stage = await webStage(
    (_, response) => {
      const location = one.redirects?.[hop++];
      if (location) response.writeHead(302, { location }).end();
      else if (one.bodyGen) BODIES[one.bodyGen]?.(response);
      else response.writeHead(200, { "content-type": "text/plain" }).end(one.body ?? "a page");
    },
    {
      names: one.resolveSequence ?? one.resolve ?? {},
      timeLimitMs: 1_500,
      ...(one.approvedHost && { allowHosts: [one.approvedHost] }),
    },
  );
  return { stage, result: await stage.call("web_fetch", { url: one.url }) };
}

const isPublic = (address: string) => addressClassOf(address) === "public";

describe("ssrf cases", () => {
  test.each(own)("$id $kind: $expect", async (one) => {
    const { stage, result } = await play(one);
    // Whatever the case: no connection ever goes to a place inside.
    expect(stage.contacted.every(isPublic)).toBe(true);
    const isRebinding = one.kind === "rebinding";
    if (one.expect === "block" && !isRebinding) {
      expect(result.status).toBe("error");
      expect(result.content).toMatch(/not contacted|not fetched/);
      expect(stage.contacted).toHaveLength(one.redirects ? 1 : 0);
    } else if (isRebinding) expect(stage.contacted).toEqual(["93.184.216.34"]);
    else if (one.expect === "block-or-ask") {
      expect(result).toMatchObject({
        status: "error",
        content: expect.stringMatching(/not contacted.*web\.allowHosts|user name/),
      });
      expect(stage.contacted).toEqual([]);
    } else if (one.expect === "error") {
      expect(result).toMatchObject({
        status: "error",
        content: expect.stringContaining("redirects more than 5 times"),
      });
      expect(stage.contacted).toHaveLength(6);
    } else if (one.expect === "truncated") {
      expect(result).toMatchObject({
        status: "ok",
        content: expect.stringMatching(/the answer was cut off (at 5\.0 MB|after 1\.5 s)/),
      });
    } else
      expect(result).toMatchObject({ status: "ok", content: expect.stringContaining("Untrusted content follows.") });
  });

  test("a host that was allowed opens no other that begins or ends like it", async () => {
    const names = {
      "docs.python.org": ["10.0.0.1"],
      "docs.python.org.evil.example": ["10.0.0.1"],
      "mydocs.python.org": ["10.0.0.1"],
    };
    const stage = await webStage((_, response) => response.end("in"), { names, allowHosts: ["docs.python.org"] });
    expect(await stage.text("web_fetch", { url: "http://docs.python.org/" })).toContain("in");
    for (const host of ["docs.python.org.evil.example", "mydocs.python.org"]) {
      expect(await stage.error("web_fetch", { url: `http://${host}/` })).toContain("a private network");
    }
    const permissions = new PermissionEngine({ workspaceRoot: "/" });
    const metadata = stage.registry.get("web_fetch")?.metadata ?? null;
    expect(permissions.evaluate("web_fetch", { url: own.at(-1)?.url }, metadata).needsUser).toBe(true);
  });
});

describe("classes of addresses", () => {
  test.each([
    ["93.184.216.34", "public"],
    ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "public"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["::1", "loopback"],
    ["10.255.255.255", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["172.32.0.1", "public"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["100.127.255.255", "private"],
    ["100.128.0.1", "public"],
    ["100.100.100.200", "metadata"],
    ["198.18.0.1", "private"],
    ["169.254.0.1", "link-local"],
    ["169.254.169.254", "metadata"],
    ["168.63.129.16", "metadata"],
    ["0.0.0.0", "reserved"],
    ["0.1.2.3", "reserved"],
    ["224.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["::", "reserved"],
    ["ff02::1", "reserved"],
    ["fe80::1", "link-local"],
    ["febf::1", "link-local"],
    ["fe80::1%eth0", "link-local"],
    ["::ffff:10.0.0.1%1", "private"],
    ["fc00::1", "private"],
    ["fdff::1", "private"],
    ["fec0::1", "private"],
    ["fd00:ec2::254", "metadata"],
    ["no address", "reserved"],
    // Forms that carry an IPv4 address.
    ["::ffff:127.0.0.1", "loopback"],
    ["::ffff:a9fe:a9fe", "metadata"],
    ["::ffff:5db8:d822", "public"],
    ["::7f00:1", "loopback"],
    ["::ffff:0:a00:1", "private"],
    ["64:ff9b::a9fe:a9fe", "metadata"],
    ["64:ff9b::93.184.216.34", "public"],
    ["64:ff9b:1::a00:1", "private"],
    ["2002:7f00:1::", "loopback"],
    ["2002:5db8:d822::1", "public"],
    ["2001:0:5db8:d822:0:0:f5ff:fffe", "private"],
    ["2001:0:a00:1::", "private"],
    ["2001:db8::5efe:a00:1", "private"],
    ["2001:db8::200:5efe:c0a8:101", "private"],
  ])("%s is %s", (address, name) => {
    expect(addressClassOf(address)).toBe(name);
  });

  test("law: an IPv4 address has the same class in each of its IPv6 forms", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), ([a, b, c, d]) => {
        const plain = addressClassOf(`${a}.${b}.${c}.${d}`);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const forms = [
          `::ffff:${a}.${b}.${c}.${d}`,
          `::ffff:${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::`,
          `::ffff:0:${hex}`,
        ];
        expect(new Set(forms.map(addressClassOf))).toEqual(new Set([plain]));
      }),
    );
  });
});

describe("allowed hosts", () => {
  const names = { "dev.corp.example": ["10.1.2.3"], "corp.example": ["10.1.2.3"] };
  test.each([
    ["http://localhost:3000/", ["localhost"], ["127.0.0.1", "::1"]],
    ["http://localhost.:3000/", ["localhost"], ["127.0.0.1", "::1"]],
    ["http://localhost:3000/", ["localhost:3000"], ["127.0.0.1", "::1"]],
    ["http://localhost:3001/", ["localhost:3000"], []],
    ["http://app.localhost/", ["*.localhost"], ["127.0.0.1", "::1"]],
    ["http://localhost/", ["*.localhost"], []],
    ["http://127.0.0.1/", ["127.0.0.1"], ["127.0.0.1"]],
    ["http://127.0.0.1:8080/", ["127.0.0.1:8080"], ["127.0.0.1"]],
    ["http://[::1]:8080/", ["[::1]:8080"], ["::1"]],
    ["http://[::1]/", ["::1"], ["::1"]],
    ["http://127.0.0.2/", ["127.0.0.1"], []],
    ["http://10.1.2.3/", ["10.1.0.0/16"], ["10.1.2.3"]],
    ["http://10.2.2.3/", ["10.1.0.0/16"], []],
    ["http://10.2.2.3/", ["10.1.0.0/nonsense", "10.2.0.0/99", ""], []],
    ["http://dev.corp.example/", ["*.corp.example"], ["10.1.2.3"]],
    ["http://dev.corp.example/", ["DEV.Corp.Example"], ["10.1.2.3"]],
    ["http://corp.example/", ["*.corp.example"], []],
    // Never, whatever was allowed.
    ["http://169.254.169.254/", ["169.254.169.254", "169.254.0.0/16"], []],
    ["http://metadata.google.internal/", ["metadata.google.internal"], []],
    ["http://metadata.google.internal./", ["metadata.google.internal"], []],
    ["http://0.0.0.0/", ["0.0.0.0"], []],
  ])("%s with %j", async (url, allowHosts, contacted) => {
    const stage = await webStage((_, response) => response.end("in"), { names, allowHosts });
    const result = await stage.call("web_fetch", { url });
    expect(result.status).toBe(contacted.length > 0 ? "ok" : "error");
    expect(stage.contacted).toEqual(contacted);
  });

  test("a real server on this machine is reached once it is allowed, and only then", async () => {
    const port = await listen((_, response) => response.end("dev server"));
    const { registerWebTools } = await import("../../src/tools/web");
    const { ToolRegistry } = await import("../../src/tools/ToolRegistry");
    const [shut, open] = [[], ["localhost"]].map((allowHosts) => {
      const registry = new ToolRegistry();
      registerWebTools(registry, undefined, { allowHosts, env: {} });
      return registry.call("web_fetch", { url: `http://localhost:${port}/` });
    });
    expect(await shut).toMatchObject({
      status: "error",
      content: expect.stringContaining("leads to 127.0.0.1, this machine itself"),
    });
    expect(await open).toMatchObject({ status: "ok", content: expect.stringContaining("dev server") });
  });
});

describe("addresses", () => {
  test.each([
    ["ftp://public.example/", /ftp: addresses are not fetched/],
    ["javascript:alert(1)", /javascript: addresses/],
    ["", /"" is no http or https address/],
    ["http://", /is no http or https address/],
    ["http://user:secret@public.example/", /before its host \(public.example\) is not fetched/],
    ["http://nowhere.example/", /The host nowhere.example has no address/],
  ])("%s is refused", async (url, reason) => {
    const stage = await webStage((_, response) => response.end("in"), { names: PUBLIC });
    expect(await stage.error("web_fetch", { url })).toMatch(reason);
    expect(stage.contacted).toEqual([]);
  });

  test("a scheme that was forgotten is https", async () => {
    const stage = await webStage((_, response) => response.end("in"), { names: { "host.example": ["10.0.0.1"] } });
    expect(await stage.error("web_fetch", { url: "host.example/a" })).toContain(
      "https://host.example was not contacted",
    );
  });

  test("each hop is looked up and checked by itself", async () => {
    const names = { ...PUBLIC, "inside.example": ["192.168.0.9"] };
    const stage = await webStage(
      (_, response) => response.writeHead(307, { location: "http://inside.example/admin" }).end(),
      { names },
    );
    expect(await stage.error("web_fetch", { url: "http://public.example/" })).toMatch(/inside.example.*192.168.0.9/);
    expect([stage.contacted, stage.lookedUp]).toEqual([["93.184.216.34"], ["public.example", "inside.example"]]);
  });

  test("a redirect may not smuggle in a password", async () => {
    const stage = await webStage(
      (_, response) => response.writeHead(302, { location: "http://a:b@public.example/" }).end(),
      { names: PUBLIC },
    );
    expect(await stage.error("web_fetch", { url: "http://public.example/" })).toMatch(
      /redirects to an address that is refused/,
    );
  });
});
