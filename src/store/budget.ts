/** Statements that a piece of work may run: an invocation of a Worker may run so many. */
export class Budget {
  #left: number;
  #isSpent = false;

  /** @param statements any number by default */
  constructor(statements = Number.POSITIVE_INFINITY) {
    this.#left = statements;
  }

  /** Takes some for what comes next; false, then and ever after, where so many are not left. */
  spend(statements: number): boolean {
    if (statements > this.#left) this.#isSpent = true;
    else this.#left -= statements;
    return !this.#isSpent;
  }

  /** Whether something was not done for want of statements. */
  get isSpent(): boolean {
    return this.#isSpent;
  }
}
