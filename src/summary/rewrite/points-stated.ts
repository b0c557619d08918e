import type { Verdict } from '../verify/check-sentence.ts';
import type { SentenceChecker } from '../verify/sentence-checker.ts';
import type { NumberedPoint } from './material.ts';

/** Drop in score from which a point's quotes were needed. */
const NEEDED = 0.03;

/**
 * Of the points that a supported sentence cites, those that it rests on: they support it alone, it would be worse supported
 * without them, or it states them. A sentence does not count for a point only because it carries its number.
 *
 * @returns at least one, with the score of the sentence in their quotes alone
 */
export async function pointsStated(
  text: string,
  cited: readonly NumberedPoint[],
  { score }: Verdict,
  checker: SentenceChecker,
): Promise<{ readonly points: readonly NumberedPoint[]; readonly score: number }> {
  if (cited.length < 2) return { points: cited, score };
  const allowedNames = cited.flatMap((point) => point.allowedNames);
  const quotesOf = (points: readonly NumberedPoint[]) => points.flatMap(({ quotes }) => quotes);
  const verdicts = await checker.check(
    cited.flatMap((point) => [
      { text, quotes: point.quotes, allowedNames },
      { text, quotes: quotesOf(cited.filter((other) => other !== point)), allowedNames },
      { text: point.own.text, quotes: [text], allowedNames: point.allowedNames },
    ]),
  );
  const points = cited.filter((_, index) => {
    const [alone, without, back] = verdicts.slice(3 * index, 3 * index + 3);
    return alone.supported || back.supported || !without.supported || score - without.score >= NEEDED;
  });
  if (points.length === 0 || points.length === cited.length) return { points: cited, score };
  const names = points.flatMap((point) => point.allowedNames);
  const [verdict] = await checker.check([{ text, quotes: quotesOf(points), allowedNames: names }]);
  return verdict.supported ? { points, score: verdict.score } : { points: cited, score };
}
