import type { ArgueSentenceAnswer } from '../../contract/evaluation-answer.ts';
import type { EntailmentTask, Judge } from '../judge.ts';
import type { ArgueRequest } from '../../contract/evaluation-request.ts';
import type { BoundAnswers } from './bound-answers.ts';

/** A sentence as it is judged. */
export interface ReadSentence {
  /** Without markers. */
  readonly text: string;
  readonly citations: readonly string[];
  /** The answers that it reports, by what attests them. */
  readonly reported: readonly BoundAnswers[];
  /** Whether it is a claim without citations, which another sentence may state. */
  readonly isBare: boolean;
}

export interface SentenceSupport {
  readonly citations: ArgueSentenceAnswer['citations'];
  /** Whether an earlier sentence of the report, or one that cites, states it; false where it is not bare. */
  readonly isRepeated: boolean;
}

/**
 * Asks, in one call, whether the cited documents support their sentences and whether bare claims stand elsewhere too.
 *
 * A document that a reported answer lists supports the sentence without being asked, as an assessor has linked it.
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
    repeated: isBare ? ask(`${place}`, text, textsElsewhere(sentences, place)) : null,
    citations: citations.map((document) => {
      const isLinked = texts.has(document) && reported.some(({ documents: linked }) => linked?.has(document));
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

/**
 * What may make a bare claim redundant, as one text, so that a judge that is asked text by text is asked once: all that
 * comes before it, and what comes after it with citations. Of claims that nobody cites the first stays the one to blame.
 */
function textsElsewhere(sentences: readonly ReadSentence[], place: number): string[] {
  const others = sentences.filter(({ citations }, other) => other < place || (other > place && citations.length > 0));
  return [[...new Set(others.map(({ text }) => text))].join('\n')];
}
