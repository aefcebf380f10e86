/** What an endpoint was seen to do in its own way: each thing once, with the first evidence of it. */

/** `kind` as in docs/endpoints.md; `evidence` in a few words, the endpoint's own where it said something. */
export interface Trait {
  kind: string;
  evidence: string;
}

export type Tell = (kind: string, evidence: string) => void;

/** What came over the wire, looked into field by field. */
export type Json = Record<string, unknown>;

const MOST = 160;

export class TraitList {
  readonly traits: Trait[] = [];

  readonly tell: Tell = (kind, evidence) => {
    const line = evidence.replace(/\s+/g, " ").trim().slice(0, MOST);
    const isKnown = this.traits.some((trait) => trait.kind === kind && trait.evidence === line);
    if (!isKnown) this.traits.push({ kind, evidence: line });
  };
}

export function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}
