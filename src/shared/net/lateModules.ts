/** Node's modules for TLS, loaded where the first secure request is made: local endpoints and most runs never need them. */

type Https = typeof import("node:https");
type Tls = typeof import("node:tls");

export function httpsModule(): Https {
  return process.getBuiltinModule("node:https");
}

export function tlsModule(): Tls {
  return process.getBuiltinModule("node:tls");
}
