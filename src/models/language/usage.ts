/** What calls of a model took. */
export interface CallUsage {
  /** HTTP requests, failed ones with them. */
  readonly requests: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** In the currency of the price table; null where a model that was called has no price in it. */
  readonly cost: number | null;
}

/** Bytes of UTF-8 that are counted as a token where nobody counts: fair for most scripts. */
export const BYTES_PER_TOKEN = 4;

/** Tokens kept for the rules of a prompt where everything else of the context is filled. */
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

/** What a model costs, per million tokens, in a currency of the operator's choice. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** The cost of so many tokens; null without a price. */
export function costOf(price: Price | undefined, promptTokens: number, completionTokens: number): number | null {
  if (price === undefined) return null;
  return (promptTokens * price.input + completionTokens * price.output) / 1e6;
}

/** Counts what one call takes while it goes on, failed attempts with it. */
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
      // What was never called has cost nothing, whatever its price.
      cost: this.requests === 0 ? 0 : costOf(this.#price, this.#promptTokens, this.#completionTokens),
    };
  }
}
