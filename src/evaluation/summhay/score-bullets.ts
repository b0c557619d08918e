import { countWords } from '../../summary/index.ts';
import type { CoverageVerdict, Judge } from '../judge.ts';
import { sum } from '../mean.ts';
import { checkBullets, knownDocuments } from './check-bullets.ts';
import { type CitationScores, citationScores } from './citation-scores.ts';
import { bulletText, readBullet } from './read-bullet.ts';
import type { Insight, InsightAnswer, SummHayAnswer, SummHayRequest } from './shapes.ts';
import { summHayTotals } from './summhay-totals.ts';

const NOTHING: CoverageVerdict = { level: 0, score: 0, bullet: null };

/** What bullets are read with: the ids of the documents that are known, and the bullets as they came. */
interface Bullets {
  readonly all: SummHayRequest['bullets'];
  readonly known: ReadonlySet<string>;
  /** Places of the bullets by what they say; those that say nothing are not in it. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/**
 * Scores the bullets of a summary against reference insights (SummHay, Laban et al. 2024, section 4.1): how far the best
 * bullet covers each insight, and whether that bullet cites the documents that tell it. The judge sees bullets without
 * markers; of several that say the same, the one that cites best is taken, so that their order does not matter. An insight
 * whose list of documents is empty counts as one without.
 *
 * @throws InvalidEvaluationError without insights, for an insight that is blank or has another's id, and for a bullet that
 *   cites more documents than anybody can
 */
export async function scoreBullets(request: SummHayRequest, judge: Judge): Promise<SummHayAnswer> {
  checkBullets(request);
  const known = knownDocuments(request);
  const texts = request.bullets.map((bullet) => bulletText(bullet, known));
  const places = placesOf(texts);
  const bullets: Bullets = { all: request.bullets, known, places };
  const said = [...places.keys()];
  const insightTexts = request.insights.map(({ text }) => text);
  const verdicts = said.length === 0 ? [] : await judge.coverage(insightTexts, said);
  const insights = request.insights.map((insight, place) =>
    insightAnswer(insight, verdicts[place] ?? NOTHING, said, bullets),
  );
  return {
    ...summHayTotals(
      insights.map((each, place) => ({ ...each, hasDocuments: hasReferences(request.insights[place]) })),
    ),
    insights,
    bullets: texts.length,
    wordsPerBullet: texts.length === 0 ? null : sum(texts.map((text) => countWords(text))) / texts.length,
    bulletTexts: texts,
  };
}

function placesOf(texts: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const same = places.get(text);
    if (same) same.push(place);
    else if (text.trim() !== '') places.set(text, [place]);
  }
  return places;
}

function insightAnswer(
  insight: Insight,
  { level, score, bullet }: CoverageVerdict,
  said: readonly string[],
  bullets: Bullets,
): InsightAnswer {
  const places = bullet === null ? [] : (bullets.places.get(said[bullet] ?? '') ?? []);
  const expected = new Set(insight.documents);
  const found = { id: insight.id, coverage: level, score };
  const [first = null] = places;
  if (level === 0 || expected.size === 0) return { ...found, bullet: first, precision: null, recall: null, f1: null };
  const cited = places.map((place) => ({
    bullet: place,
    ...citationScores(readBullet(bullets.all[place] ?? '', bullets.known).documents, expected),
  }));
  const [best = { bullet: first, precision: 0, recall: 0, f1: 0 }] = cited.toSorted(byCitation);
  return { ...found, ...best };
}

function byCitation(a: CitationScores, b: CitationScores): number {
  return b.f1 - a.f1 || b.precision - a.precision;
}

export function hasReferences(insight: Insight | undefined): boolean {
  return insight?.documents !== undefined && insight.documents.length > 0;
}
