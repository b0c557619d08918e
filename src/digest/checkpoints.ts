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
   * @param asked how often a model had been asked before the work that this step stands for; before the step by default
   */
  step<T>(name: string, dependsOn: unknown, work: () => T | Promise<T>, asked?: number): Promise<T>;
}

/** Keeps nothing. */
export const NO_CHECKPOINTS: Checkpoints = { step: async (_name, _dependsOn, work) => work() };
