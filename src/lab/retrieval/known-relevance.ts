import type { BenchmarkCase, LabelledPassage } from '../benchmark-set.ts';

/** What a case knows of which documents matter. */
export interface KnownRelevance {
  /** What is counted. */
  readonly of: 'insights' | 'questions' | 'passages' | 'nuggets' | 'key points';
  /** How much of it a document holds, by id of the document; documents that do not matter are absent. */
  readonly amounts: ReadonlyMap<string, number>;
}

/**
 * How many insights of the case every document tells (the oracle of Laban et al. 2024, section 5). Where no document of an
 * insight is known: how many of its relevant questions it answers, else how many of its characters are labelled, else how
 * many nuggets it answers, else how many key points it states.
 *
 * @returns null where nothing of this is known
 */
export function knownRelevance(benchmarkCase: BenchmarkCase): KnownRelevance | null {
  const { insights = [], questions = [], passages = [], nuggets = [], keyPoints = [] } = benchmarkCase;
  const relevant = questions.filter((question) => question.relevant ?? true);
  const sources: readonly (() => KnownRelevance)[] = [
    () => ({ of: 'insights', amounts: counted(insights.map(({ documents = [] }) => documents)) }),
    () => ({ of: 'questions', amounts: counted(relevant.map(({ document }) => [document])) }),
    () => ({ of: 'passages', amounts: labelledCharacters(passages) }),
    () => ({ of: 'nuggets', amounts: counted(nuggets.map(({ answers = [] }) => answers.flatMap(documentsOf))) }),
    () => ({ of: 'key points', amounts: counted(keyPoints.map(({ spans = [] }) => spans.map((s) => s.document))) }),
  ];
  for (const source of sources) {
    const known = source();
    if (known.amounts.size > 0) return known;
  }
  return null;
}

function documentsOf({ documents = [] }: { readonly documents?: readonly string[] | undefined }): readonly string[] {
  return documents;
}

/** @param things the documents that hold each of them */
function counted(things: readonly (readonly string[])[]): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const documents of things) {
    for (const document of new Set(documents)) amounts.set(document, (amounts.get(document) ?? 0) + 1);
  }
  return amounts;
}

/** Characters that stand in several passages are counted once. */
function labelledCharacters(passages: readonly LabelledPassage[]): Map<string, number> {
  const amounts = new Map<string, number>();
  const ends = new Map<string, number>();
  for (const { document, start, end } of passages.toSorted((a, b) => a.start - b.start)) {
    const before = ends.get(document) ?? 0;
    const added = end - Math.max(start, before);
    if (added <= 0) continue;
    amounts.set(document, (amounts.get(document) ?? 0) + added);
    ends.set(document, end);
  }
  return amounts;
}
