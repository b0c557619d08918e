/** A statement, and what may bear it out. */
export interface EntailmentQuestion {
  readonly claim: string;
  /** The same evidence at several lengths, the fullest first: the first that fits into the model is read. */
  readonly premises: readonly string[];
}

/** Tells whether texts entail statements, reading each pair together. */
export interface EntailmentModel {
  /** Names the weights and their precision. */
  readonly id: string;
  /**
   * Where no premise fits, the last is read in windows, and the surest of them counts. A claim that takes more than half of what
   * the model reads at once, and one without evidence, has 0.
   *
   * @returns for each question the probability of entailment, in [0, 1], whatever else is asked in the call
   */
  entailment(questions: readonly EntailmentQuestion[]): Promise<Float64Array>;
}
