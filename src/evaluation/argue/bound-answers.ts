import type { Nugget } from '../../contract/evaluation-request.ts';

/** Answers of one nugget that the same documents attest. */
export interface BoundAnswers {
  /** The nugget with these answers alone, as a judge is shown it. */
  readonly nugget: Nugget;
  /** Ids; null where these answers list none, so that any document that supports a sentence attests them. */
  readonly documents: ReadonlySet<string> | null;
}

/**
 * Parts a nugget by the documents that attest its answers (Mayfield et al. 2024, section 4: an answer counts where a
 * document linked to it is cited; that one of several is enough is our reading), so that a judge tells which of them a
 * sentence gives. A nugget without answers stays as it is: no document attests an absence.
 */
export function boundAnswers(nugget: Nugget): BoundAnswers[] {
  const { answers = [] } = nugget;
  if (answers.length === 0) return [{ nugget, documents: null }];
  const groups = new Map<string, { answers: (typeof answers)[number][]; documents: ReadonlySet<string> | null }>();
  for (const answer of answers) {
    const ids = [...new Set(answer.documents)].sort();
    const key = JSON.stringify(ids);
    const group = groups.get(key) ?? { answers: [], documents: ids.length === 0 ? null : new Set(ids) };
    group.answers.push(answer);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    nugget: { ...nugget, answers: group.answers },
    documents: group.documents,
  }));
}
