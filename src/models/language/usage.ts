export interface CallUsage {
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** In the currency of the price table; null if a called model has no price. */
  readonly cost: number | null;
}

export const BYTES_PER_TOKEN = 4;

/** Tokens reserved for the rules of a prompt that otherwise fills the context. */
export const RULES_TOKENS = 800;

export const NO_USAGE: CallUsage = { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0 };

export function addUsage(a: CallUsage, b: CallUsage): CallUsage {
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  };
}

export interface Price {
  readonly input: number;
  readonly output: number;
}

export function costOf(price: Price | undefined, promptTokens: number, completionTokens: number): number | null {
  if (price === undefined) return null;
  return (promptTokens * price.input + completionTokens * price.output) / 1e6;
}

export class Tally {
  requests = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  readonly #price: Price | undefined;

  constructor(price: Price | undefined) {
    this.#price = price;
  }

  add(promptTokens: number, completionTokens: number): void {
    this.#promptTokens += promptTokens;
    this.#completionTokens += completionTokens;
  }

  usage(): CallUsage {
    return {
      requests: this.requests,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      // Without requests nothing was spent, whatever the price.
      cost: this.requests === 0 ? 0 : costOf(this.#price, this.#promptTokens, this.#completionTokens),
    };
  }
}
