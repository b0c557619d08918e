import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';

/** A result of a run. */
interface Spent {
  readonly usage: CallUsage;
}

/** What results took: one that several share counts once, and what was known from before cost nothing again. */
export function spentOnce(results: readonly { readonly result: Spent; readonly known: boolean }[]): CallUsage {
  const made = new Set(results.flatMap(({ result, known }) => (known ? [] : [result])));
  return [...made].map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE);
}
