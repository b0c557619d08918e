/** What a digest took so far, which goes with the steps that took it. */
export interface Ledger {
  take(): unknown;
  /** How often a model was asked so far. */
  asked(): number;
  /** Goes on from what `take` gave before. */
  restore(taken: unknown): void;
}

/** Results of the steps of a digest that an attempt before left, so that they are not done again. */
export interface Checkpoints {
  /**
   * The result of a step: as it was kept, or made now and kept.
   *
   * @param dependsOn everything that the result depends on and that may differ in another attempt, as plain data
   */
  step<T>(name: string, dependsOn: unknown, work: () => T | Promise<T>): Promise<T>;
}

/** Keeps nothing. */
export const NO_CHECKPOINTS: Checkpoints = { step: async (_name, _dependsOn, work) => work() };
