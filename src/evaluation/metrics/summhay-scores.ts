import { z } from '@hono/zod-openapi';
import { type TypeOf, text } from '../../contract/index.ts';
import { countWords } from '../../summary/index.ts';
import { citedDocuments, countCited, findMarkers } from '../../text/index.ts';
import { checkNotBlank, checkUnique, InvalidEvaluationError } from '../errors.ts';
import type { CoverageVerdict, Judge } from '../judge.ts';
import { stripMarkers } from '../marked-text.ts';
import { mean, sum } from '../metric.ts';
import {
  type CitedBullet,
  type CoverageLevel,
  coverage,
  digest,
  documentIds,
  type Insight,
  insight,
  JUDGED_EXAMPLE,
  judgedFields,
  judgeFields,
  MAX,
  percent,
  place,
  type Scores,
  score,
  sources,
  whole,
} from '../shapes.ts';

/** Bullets with markers, as a list or one text, or a digest. */
export const summHayOrder = z
  .strictObject({
    metric: z.literal('summhay'),
    bullets: z
      .union([z.array(text(MAX.itemCharacters)).max(MAX.items), whole])
      .optional()
      .openapi({
        description: 'With their markers: one by one, or as one text, a list or running text, which is split.',
      }),
    sources,
    digest,
    insights: z.array(insight).min(1).max(MAX.items),
    documents: documentIds.optional().openapi({ description: 'All documents there are.' }),
    ...judgeFields,
  })
  .openapi('SummHayRequest');
export type SummHayOrder = TypeOf<typeof summHayOrder>;

export interface SummHayRequest extends Omit<SummHayOrder, 'bullets' | 'sources' | 'digest'> {
  /** Each with markers, "… [1, 2][3]", or with a separate list of citations. */
  readonly bullets: readonly (string | CitedBullet)[];
}

export const summHayAnswer = z
  .object({
    metric: z.literal('summhay'),
    coverage: percent,
    citation: percent
      .nullable()
      .openapi({ description: 'Mean F1 of the covered insights; null where no insight has documents.' }),
    citationPrecision: percent.nullable().openapi({ description: 'Mean over the covered insights.' }),
    citationRecall: percent.nullable().openapi({ description: 'Mean over the covered insights.' }),
    joint: percent.nullable().openapi({ description: 'Mean of coverage times F1 over the insights with documents.' }),
    insights: z.array(
      z.object({
        id: z.string(),
        coverage,
        score,
        bullet: place.nullable().openapi({ description: 'Place of the best match; null without bullets.' }),
        precision: percent.nullable(),
        recall: percent.nullable(),
        f1: percent.nullable(),
      }),
    ),
    bullets: place,
    wordsPerBullet: z.number().min(0).nullable(),
    bulletTexts: z.array(z.string()).openapi({ description: 'The bullets as they were judged, without markers.' }),
    ...judgedFields,
  })
  .openapi('SummHayEvaluation');
export type SummHayEvaluation = TypeOf<typeof summHayAnswer>;
export type SummHayAnswer = Scores<SummHayEvaluation>;
type InsightAnswer = SummHayEvaluation['insights'][number];

const REQUEST: SummHayOrder = {
  metric: 'summhay',
  bullets: ['Traffic in the centre fell by 18 percent. [council, press]', 'Shops lost some customers. [press]'],
  insights: [
    { id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council'] },
    { id: 'revenue', text: 'The charge raised 40 million euros.', documents: ['council'] },
  ],
  documents: ['council', 'press'],
};

const ANSWER: SummHayEvaluation = {
  metric: 'summhay',
  coverage: 50,
  citation: 66.6667,
  citationPrecision: 50,
  citationRecall: 100,
  joint: 33.3333,
  insights: [
    { id: 'traffic', coverage: 100, score: 0.9987, bullet: 0, precision: 50, recall: 100, f1: 66.6667 },
    { id: 'revenue', coverage: 0, score: 0.0222, bullet: 1, precision: null, recall: null, f1: null },
  ],
  bullets: 2,
  wordsPerBullet: 6,
  bulletTexts: ['Traffic in the centre fell by 18 percent.', 'Shops lost some customers.'],
  ...JUDGED_EXAMPLE,
};

const STORED_DIGEST: SummHayOrder = {
  metric: 'summhay',
  digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  insights: [{ id: 'traffic', text: 'Traffic in the centre fell by 18 percent.', documents: ['council', 'press'] }],
};

export const SUMMHAY_EXAMPLES = {
  requests: {
    summhay: { summary: 'Coverage of insights, and citations', value: REQUEST },
    digest: { summary: 'A stored digest', value: STORED_DIGEST },
  },
  answers: { summhay: { summary: 'Coverage of insights, and citations', value: ANSWER } },
};

const NOTHING: CoverageVerdict = { level: 0, score: 0, bullet: null };

interface Bullets {
  readonly all: SummHayRequest['bullets'];
  readonly known: ReadonlySet<string>;
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/**
 * Scores bullets against reference insights (SummHay, Laban et al. 2024, section 4.1): how well the best bullet covers
 * each insight, and whether it cites the right documents. The judge sees bullets without markers; of equal bullets the
 * one with the best citations counts, so that order does not matter. An insight with an empty list of documents counts
 * as one without a list.
 * @throws InvalidEvaluationError without insights, for a blank insight or a duplicate id, and for a bullet with too
 * many citations
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

/** Maximum number of documents cited by a bullet, so that ranges cannot exhaust memory. */
const MAX_CITED = 10_000;

export function knownDocuments({ documents = [], insights }: SummHayRequest): Set<string> {
  return new Set([...documents, ...insights.flatMap((insight) => insight.documents ?? [])]);
}

/**
 * Rejects missing or blank insights, duplicate ids, and bullets with too many citations.
 * @throws InvalidEvaluationError
 */
export function checkBullets(request: SummHayRequest): void {
  checkInsights(request.insights);
  const known = knownDocuments(request);
  for (const [place, bullet] of request.bullets.entries()) {
    if (typeof bullet === 'string' && countCited(findMarkers(bullet, known)) > MAX_CITED) {
      throw new InvalidEvaluationError(`/bullets/${place}`, `cites more than ${MAX_CITED} documents`);
    }
  }
}

function checkInsights(insights: readonly Insight[]): void {
  if (insights.length === 0) throw new InvalidEvaluationError('/insights', 'has no insight to look for');
  checkUnique(
    insights.map(({ id }) => id),
    (place) => `/insights/${place}/id`,
  );
  checkNotBlank(
    insights.map(({ text }) => text),
    (place) => `/insights/${place}/text`,
  );
}

interface ReadBullet {
  readonly text: string;
  readonly documents: readonly string[];
}

const LIST_SIGN = /^\s*(?:(?:[-*+•‣▪◦–—]|#{1,6}|\(?\d{1,3}[.)])(?:\s+|$))+/u;

/**
 * Reads a bullet: "- Fares rose [1, 2][3]." says "Fares rose." and cites 1, 2 and 3.
 * @param bullet with markers, or with separate citations and an exact text
 * @param known ids of the documents, which distinguish non-numeric markers from other brackets
 */
export function readBullet(bullet: string | CitedBullet, known: ReadonlySet<string>): ReadBullet {
  const documents =
    typeof bullet === 'string' ? citedDocuments(findMarkers(bullet, known)) : [...new Set(bullet.documents)];
  return { text: bulletText(bullet, known), documents };
}

export function bulletText(bullet: string | CitedBullet, known: ReadonlySet<string>): string {
  if (typeof bullet !== 'string') return bullet.text;
  return stripMarkers(bullet, known).text.replace(LIST_SIGN, '').replace(/\s+/gu, ' ').trim();
}

interface CoveredInsight {
  readonly coverage: CoverageLevel;
  readonly hasDocuments: boolean;
  /** Precision of its bullet's citations, 0 to 100; null if not covered or without documents. */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** Number of insights that each total averages: all, those covered with known documents, those with documents. */
export function summHayWeights(insights: readonly Pick<CoveredInsight, 'hasDocuments' | 'f1'>[]) {
  const covered = insights.filter(({ f1 }) => f1 !== null).length;
  return {
    coverage: insights.length,
    citation: covered,
    citationPrecision: covered,
    citationRecall: covered,
    joint: insights.filter(({ hasDocuments }) => hasDocuments).length,
  };
}

/**
 * The scores of a summary (Laban et al. 2024, section 4.1). An uncovered insight counts 0 in the joint score and is
 * left out of the citation score; one without documents counts for coverage alone.
 * @param insights at least one
 */
export function summHayTotals(
  insights: readonly CoveredInsight[],
): Pick<SummHayAnswer, 'coverage' | 'citation' | 'citationPrecision' | 'citationRecall' | 'joint'> {
  const cited = insights.filter(({ hasDocuments }) => hasDocuments);
  const meanOf = (score: 'precision' | 'recall' | 'f1') =>
    cited.length === 0 ? null : (mean(cited.flatMap((each) => each[score] ?? [])) ?? 0);
  return {
    coverage: mean(insights.map(({ coverage }) => coverage)) ?? 0,
    citation: meanOf('f1'),
    citationPrecision: meanOf('precision'),
    citationRecall: meanOf('recall'),
    joint: mean(cited.map(({ coverage, f1 }) => (coverage * (f1 ?? 0)) / 100)),
  };
}

interface CitationScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Compares the citations of a bullet with the documents of its insight (Laban et al. 2024, section 4.1).
 * @param cited each once; without any, all three are 0
 * @param expected each once, at least one
 */
export function citationScores(cited: readonly string[], expected: ReadonlySet<string>): CitationScores {
  const right = cited.filter((document) => expected.has(document)).length;
  return {
    precision: cited.length === 0 ? 0 : (100 * right) / cited.length,
    recall: (100 * right) / expected.size,
    f1: (200 * right) / (cited.length + expected.size),
  };
}

interface ScoreByOrder {
  readonly top?: number | null | undefined;
  readonly bottom?: number | null | undefined;
  readonly random?: number | null | undefined;
}

/**
 * Position bias: the larger distance of the two ordered runs from the random one (Laban et al. 2024).
 * @returns in the unit of the scores; null if one of the three is missing
 */
export function positionSensitivity({ top, bottom, random }: ScoreByOrder): number | null {
  if (top == null || bottom == null || random == null) return null;
  return Math.max(Math.abs(top - random), Math.abs(bottom - random));
}
