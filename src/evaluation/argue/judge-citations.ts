import type { ArgueSentenceAnswer } from '../answer.ts';
import type { EntailmentTask, Judge } from '../judge.ts';
import type { ArgueRequest, Nugget } from '../request.ts';

/** A sentence as it is judged. */
export interface ReadSentence {
  /** Without markers. */
  readonly text: string;
  readonly citations: readonly string[];
  /** The nuggets that it reports. */
  readonly reported: readonly Nugget[];
  /** Whether it is a claim without citations, which an earlier sentence may state. */
  readonly isBare: boolean;
}

export interface SentenceSupport {
  readonly citations: ArgueSentenceAnswer['citations'];
  /** Whether an earlier sentence of the report states it; false where it is not bare. */
  readonly isRepeated: boolean;
}

/**
 * Asks, in one call, whether the cited documents support their sentences and whether bare claims came before.
 *
 * A document that all answers of a reported nugget list supports the sentence without being asked, as an assessor has
 * linked it; where the answers list different ones, it is not told which answer the sentence gives, and the judge is asked.
 * Documents that are not there, or blank, support nothing.
 */
export async function judgeCitations(
  sentences: readonly ReadSentence[],
  documents: ArgueRequest['documents'],
  judge: Judge,
): Promise<SentenceSupport[]> {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const tasks = new Map<string, EntailmentTask>();
  const ask = (key: string, claim: string, asked: readonly string[]) => {
    const told = asked.filter((text) => text.trim() !== '');
    if (claim !== '' && told.length > 0) tasks.set(key, { claim, texts: told });
    return key;
  };
  const questions = sentences.map(({ text, citations, reported, isBare }, place) => ({
    repeated: isBare ? ask(`${place}`, text, earlierTexts(sentences, place)) : null,
    citations: citations.map((document) => {
      const isLinked = texts.has(document) && reported.some((nugget) => isLinkedTo(nugget, document));
      const key = isLinked ? null : ask(JSON.stringify([document, text]), text, [texts.get(document) ?? '']);
      return { document, isLinked, key };
    }),
  }));
  const verdicts = tasks.size === 0 ? [] : await judge.entailment([...tasks.values()]);
  const byKey = new Map([...tasks.keys()].map((key, place) => [key, verdicts[place]]));
  const verdictOf = (key: string | null) => (key === null ? undefined : byKey.get(key));
  return questions.map(({ repeated, citations }) => ({
    isRepeated: verdictOf(repeated)?.holds ?? false,
    citations: citations.map(({ document, isLinked, key }) => {
      const verdict = verdictOf(key);
      return { document, supported: isLinked || (verdict?.holds ?? false), evidence: verdict?.evidence ?? null };
    }),
  }));
}

/** The report so far as one text: a judge that is asked text by text is asked once. */
function earlierTexts(sentences: readonly ReadSentence[], place: number): string[] {
  return [[...new Set(sentences.slice(0, place).map(({ text }) => text))].join('\n')];
}

function isLinkedTo({ answers = [] }: Nugget, document: string): boolean {
  return answers.length > 0 && answers.every(({ documents = [] }) => documents.includes(document));
}
