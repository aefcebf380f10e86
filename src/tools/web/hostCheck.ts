/** Whether a host may be contacted: its name and all its addresses are judged, and the connection goes to those. */

import { lookup as dnsLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, ZqError } from "../../shared/errors";
import { type AddressClass, addressClassOf, createAddressList } from "../../shared/net/addressClass";

/** Gives all addresses of a host name; rejects or gives none where there are none. */
export type Resolve = (host: string) => Promise<string[]>;

export interface HostRules {
  /**
   * Hosts that may be contacted though they are on this machine or in a private network: names (`dev.local`), all
   * names below one (`*.corp.example`), addresses and ranges (`10.1.0.0/16`). A port may follow a name (`localhost:3000`).
   */
  allowHosts?: readonly string[] | undefined;
  /** Default: the system's own look-up. */
  resolve?: Resolve | undefined;
}

/** How a checked host is connected to. Without `lookup` the host is an address, or a proxy resolves its name. */
export interface CheckedHost {
  lookup?: LookupFunction;
}

/** Behind a proxy our own look-up only serves to refuse, and may take so long (milliseconds). */
const PROXIED_LOOKUP_MS = 1_000;

/**
 * Checks the host of an address. Throws `ZqError` (`AddressRefused`, `HostNotFound`). With `isProxied` the proxy
 * resolves the name; it is refused where our own look-up says in time that it leads to a place like those above.
 */
export async function checkHost(url: URL, rules: HostRules, isProxied: boolean): Promise<CheckedHost> {
  const host = hostOf(url);
  const resolve = rules.resolve ?? systemResolve;
  if (METADATA_NAMES.has(host)) throw refusal(url, { host, address: host, kind: "metadata" });
  const known = knownAddresses(host);
  if (known) {
    judge(url, known, rules);
    return isIP(host) || isProxied ? {} : { lookup: lookupOf(known) };
  }
  if (isProxied) {
    judge(url, await resolvedInTime(host, resolve), rules);
    return {};
  }
  const addresses = await resolvedOrThrow(host, resolve);
  judge(url, addresses, rules);
  return { lookup: lookupOf(addresses) };
}

/** Names under which clouds keep their metadata. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "instance-data",
  "instance-data.ec2.internal",
]);

/** The host without the brackets of IPv6 and without the dot that ends a full name. */
function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.+$/, "")
    .toLowerCase();
}

function knownAddresses(host: string): string[] | undefined {
  if (isIP(host)) return [host];
  return /(^|\.)localhost$/.test(host) ? ["127.0.0.1", "::1"] : undefined;
}

const systemResolve: Resolve = async (host) => (await dnsLookup(host, { all: true })).map(({ address }) => address);

async function resolvedOrThrow(host: string, resolve: Resolve): Promise<string[]> {
  let addresses: string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    const message = `The host ${host} could not be looked up (${messageOf(error)}). Check the name and the network.`;
    throw new ZqError("HostNotFound", message, { cause: error });
  }
  if (addresses.length === 0) throw new ZqError("HostNotFound", `The host ${host} has no address.`);
  return addresses;
}

async function resolvedInTime(host: string, resolve: Resolve): Promise<string[]> {
  const ended = new AbortController();
  const found = resolve(host).catch((): string[] => []);
  const late = sleep(PROXIED_LOOKUP_MS, [], { signal: ended.signal }).catch((): string[] => []);
  const addresses = await Promise.race([found, late]);
  ended.abort();
  return addresses;
}

/** One bad address among good ones is enough: a name may be made to give both. */
function judge(url: URL, addresses: readonly string[], { allowHosts = [] }: HostRules): void {
  const host = hostOf(url);
  for (const address of addresses) {
    const kind = addressClassOf(address);
    if (kind === "public") continue;
    if (OPENABLE.has(kind) && (isNamed(url, host, allowHosts) || isListed(address, allowHosts))) continue;
    throw refusal(url, { host, address, kind });
  }
}

/** What a person may open. The others lead nowhere but to credentials or to no host at all. */
const OPENABLE: ReadonlySet<AddressClass> = new Set(["private", "loopback"]);

/** Whole labels are compared: `docs.example` names neither `docs.example.evil` nor `my-docs.example`. */
function isNamed(url: URL, host: string, allowHosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return allowHosts.some((entry) => {
    const [, bare, wantedPort = port] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry.trim()) ?? [];
    const name = (bare ?? entry.trim()).toLowerCase().replace(/^\[|\]$|\.+$/g, "");
    if (wantedPort !== port) return false;
    return name.startsWith("*.") ? host.endsWith(name.slice(1)) && host.length >= name.length : name === host;
  });
}

function isListed(address: string, allowHosts: readonly string[]): boolean {
  return createAddressList(allowHosts).check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

const KINDS: Record<Exclude<AddressClass, "public">, string> = {
  metadata: "a cloud's metadata service, which hands out credentials",
  "link-local": "a link-local address",
  reserved: "an address of no host",
  loopback: "this machine itself",
  private: "a private network",
};

function refusal(url: URL, { host, address, kind }: { host: string; address: string; kind: AddressClass }): ZqError {
  const leads = host === address ? `${host} is` : `${host} leads to ${address},`;
  const next = OPENABLE.has(kind)
    ? `It can be fetched once the user has put "${host}" into the setting web.allowHosts.`
    : "Such addresses are never fetched.";
  const message = `${url.origin} was not contacted: ${leads} ${KINDS[kind as keyof typeof KINDS]}. ${next}`;
  return new ZqError("AddressRefused", message);
}

/** Answers with the addresses that were judged, whatever the name resolves to by now. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) => {
    const wanted = entries.filter(({ family }) => !options.family || Number(options.family) === family);
    const [first] = wanted;
    if (!first) done(Object.assign(new Error("no address of this family"), { code: "ENOTFOUND" }), "", 0);
    else if (options.all) done(null, wanted);
    else done(null, first.address, first.family);
  };
}
