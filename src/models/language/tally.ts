import { type CallUsage, costOf, type Price } from './usage.ts';

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
