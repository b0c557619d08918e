import type { EntailmentTask, Judge } from '../../evaluation/index.ts';
import type { CallEstimate } from '../asking/asked-model.ts';
import type { CaseKeyPoints } from './make-key-points.ts';

/** Key points that people gave for a case. */
export interface PeoplePoints {
  /** Id of the case. */
  readonly case: string;
  readonly keyPoints: readonly string[];
}

/** Points of people that points made here cover. */
export interface CoveredPoints {
  /** Id of the case. */
  readonly case: string;
  readonly points: number;
  /** By all that were found. */
  readonly before: number;
  /** By those kept. */
  readonly after: number;
}

/**
 * How many of people's key points some made point entails, before and after the filter (Qi et al. 2024, section 3.3, hold
 * what is extracted against people's points).
 *
 * @param people for cases that are among the made ones
 * @throws whatever the judge fails with
 */
export async function extractionRecall(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
  judge: Judge,
): Promise<CoveredPoints[]> {
  const byId = new Map(made.map((each) => [each.id, each]));
  const textsOf = (points: CaseKeyPoints['found'] = []): string[] => points.map(({ text }) => text);
  const tasks = people.map(({ case: id, keyPoints }) => {
    const [found, kept] = [textsOf(byId.get(id)?.found), textsOf(byId.get(id)?.kept)];
    return keyPoints.map((claim) => ({ before: { claim, texts: found }, after: { claim, texts: kept } }));
  });
  const asked = tasks
    .flat()
    .flatMap(({ before, after }) => [before, after])
    .filter(({ texts }) => texts.length > 0);
  const verdicts = asked.length === 0 ? [] : await judge.entailment(asked);
  // Where nothing was made nothing is covered.
  const held = new Set<EntailmentTask>(asked.filter((_, place) => verdicts[place].holds));
  return people.map(({ case: id, keyPoints }, place) => ({
    case: id,
    points: keyPoints.length,
    before: tasks[place].filter(({ before }) => held.has(before)).length,
    after: tasks[place].filter(({ after }) => held.has(after)).length,
  }));
}

/** Of a claim, a text and what is said of them. */
const [PROMPT_TOKENS, VERDICT_TOKENS] = [420, 80];

/**
 * What a language model is asked for it: each of people's points is held against those found, one by one, until one covers
 * it; those kept are among them.
 */
export function recallCalls(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
): CallEstimate & { readonly most: number } {
  const byId = new Map(made.map(({ id, found }) => [id, found.length]));
  const most = people.reduce((sum, { case: id, keyPoints }) => sum + keyPoints.length * (byId.get(id) ?? 0), 0);
  // One that is covered is found half-way on average.
  const calls = Math.ceil(most / 2);
  return { calls, most, promptTokens: calls * PROMPT_TOKENS, completionTokens: calls * VERDICT_TOKENS };
}
