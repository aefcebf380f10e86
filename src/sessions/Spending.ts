/** What a session has used since it was opened: tokens, and money where the prices of all its models are known. */

import type { TokenUsage } from "../index";
import { resolveModel } from "../shared/models";

export interface Spent {
  input: number;
  output: number;
  /** Some of the figures are our estimate: the endpoint reported none. */
  estimated: boolean;
  /** US dollars; absent where a price is not known. */
  cost?: number;
}

export class Spending {
  private input = 0;
  private output = 0;
  private estimated = false;
  /** Null: a reply came from a model whose price is not known. */
  private cost: number | null = 0;

  add(usage: TokenUsage | undefined, model: string): void {
    if (!usage) return;
    this.input += usage.input;
    this.output += usage.output;
    this.estimated ||= usage.estimated === true;
    const cost = costOf(usage, model);
    this.cost = cost === undefined || this.cost === null ? null : this.cost + cost;
  }

  get total(): Spent {
    const { input, output, estimated, cost } = this;
    return { input, output, estimated, ...(cost !== null && cost > 0 && { cost }) };
  }
}

/** US dollars by the model table; undefined where it has no price. Cached input is part of the input (guide 9.2). */
export function costOf({ input, output, cached = 0 }: TokenUsage, model: string): number | undefined {
  const { price } = resolveModel(model);
  if (!price) return undefined;
  const hit = Math.min(cached, input);
  return ((input - hit) * price.input + hit * (price.cached ?? price.input) + output * price.output) / 1e6;
}
