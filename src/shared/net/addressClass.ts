/** What an IP address leads to, so that a page from outside can be told from this machine, its network and its cloud. */

import { BlockList, isIP } from "node:net";

/**
 * `metadata`: a cloud's service that hands out credentials. `reserved`: no host of its own (0.0.0.0, multicast, …).
 * `private`: networks that only some can reach, those of carriers and of tests included.
 */
export type AddressClass = "public" | "private" | "loopback" | "link-local" | "metadata" | "reserved";

/** The class of an address; of a form that carries an IPv4 address inside, the class of that. No address: `reserved`. */
export function addressClassOf(text: string): AddressClass {
  const address = text.replace(/%.*$/, ""); // the zone names an interface of this machine
  const family = isIP(address);
  if (family === 0) return "reserved";
  const own = CLASSES.find(({ list }) => list.check(address, family === 4 ? "ipv4" : "ipv6"))?.name ?? "public";
  if (own !== "public" || family === 4) return own;
  const inner = embeddedIPv4(groupsOf(address)).map(addressClassOf);
  return inner.find((name) => name !== "public") ?? "public";
}

/** The first match counts, so the more special stands first. */
const RANGES: [AddressClass, string[]][] = [
  ["metadata", ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192"]],
  ["metadata", ["fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"]],
  ["loopback", ["127.0.0.0/8", "::1"]],
  ["link-local", ["169.254.0.0/16", "fe80::/10"]],
  ["reserved", ["0.0.0.0/8", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4", "::", "100::/64", "ff00::/8"]],
  ["private", ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "198.18.0.0/15"]],
  ["private", ["fc00::/7", "fec0::/10", "64:ff9b:1::/48"]],
];

const CLASSES = RANGES.map(([name, ranges]) => ({ name, list: createAddressList(ranges) }));

/** A list of addresses and of ranges like `10.0.0.0/8`; what is neither is passed over. */
export function createAddressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address);
    if (family === 0) continue;
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    const isSound = Number.isInteger(bits) && bits >= 0 && bits <= (family === 4 ? 32 : 128);
    if (isSound) list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high = "0", low = "0") => ((Number(high) << 8) | Number(low)).toString(16);
  const plain = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address;
  const [head = "", tail = ""] = plain.split("::");
  const parts = (text: string) => text.split(":").filter(Boolean);
  const gap = 8 - parts(head).length - parts(tail).length;
  const all = [...parts(head), ...Array.from({ length: Math.max(0, gap) }, () => "0"), ...parts(tail)];
  return all.map((group) => Number.parseInt(group, 16));
}

/** IPv4 addresses that an IPv6 address stands for, in each form that gateways and kernels understand. */
function embeddedIPv4(groups: number[]): string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const startsWithZeros = [a, b, c, d].every((group) => group === 0);
  const found: string[] = [];
  // IPv4-compatible, IPv4-mapped and IPv4-translated.
  if (startsWithZeros && ((e === 0 && (f === 0 || f === 0xffff)) || (e === 0xffff && f === 0))) found.push(ipv4(g, h));
  // NAT64.
  if (a === 0x64 && b === 0xff9b) found.push(ipv4(g, h));
  // 6to4.
  if (a === 0x2002) found.push(ipv4(b, c));
  // Teredo: the server's address, and the client's with its bits turned over.
  if (a === 0x2001 && b === 0) found.push(ipv4(c, d), ipv4(g ^ 0xffff, h ^ 0xffff));
  // ISATAP.
  if ((e & 0xfdff) === 0 && f === 0x5efe) found.push(ipv4(g, h));
  return found;
}

function ipv4(high: number, low: number): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
