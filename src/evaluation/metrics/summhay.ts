import { z } from '@hono/zod-openapi';
import type { TypeOf } from '../../contract/index.ts';
import { UnusableOptionError } from '../../digest/index.ts';
import { countWords } from '../../summary/index.ts';
import { citedDocuments, countCited, findMarkers, groupBy } from '../../text/index.ts';
import type { Judge } from '../judge.ts';
import { splitBullets, stripMarkers } from '../marked-text.ts';
import {
  checkEach,
  checkSources,
  InvalidEvaluationError,
  isBlank,
  isRepeated,
  type Metric,
  mean,
  needed,
  sum,
} from '../metric.ts';
import * as shape from '../shapes.ts';

/** Bullets with markers, as a list or one text, or a digest. */
const order = z
  .strictObject({
    metric: z.literal('summhay'),
    bullets: z
      .union([z.array(shape.bullet).max(shape.MAX.items), shape.whole])
      .optional()
      .openapi({
        description: 'With their markers: one by one, or as one text, a list or running text, which is split.',
      }),
    sources: shape.sources,
    digest: shape.digest,
    insights: z.array(shape.insight).min(1).max(shape.MAX.items),
    documents: shape.documentIds.optional().openapi({ description: 'All documents there are.' }),
    ...shape.judgeFields,
  })
  .openapi('SummHayRequest');
type Order = TypeOf<typeof order>;

export interface SummHayRequest extends Omit<Order, 'bullets' | 'sources' | 'digest'> {
  /** Each with markers, "… [1, 2][3]", or with a separate list of citations. */
  readonly bullets: readonly (string | shape.CitedBullet)[];
}

const answer = z
  .object({
    metric: z.literal('summhay'),
    coverage: shape.percent,
    citation: shape.percent
      .nullable()
      .openapi({ description: 'Mean F1 of the covered insights; null where no insight has documents.' }),
    citationPrecision: shape.percent.nullable().openapi({ description: 'Mean over the covered insights.' }),
    citationRecall: shape.percent.nullable().openapi({ description: 'Mean over the covered insights.' }),
    joint: shape.percent
      .nullable()
      .openapi({ description: 'Mean of coverage times F1 over the insights with documents.' }),
    insights: z.array(
      z.object({
        id: z.string(),
        coverage: shape.coverage,
        score: shape.score,
        bullet: shape.place.nullable().openapi({ description: 'Place of the best match; null without bullets.' }),
        precision: shape.percent.nullable(),
        recall: shape.percent.nullable(),
        f1: shape.percent.nullable(),
      }),
    ),
    bullets: shape.place,
    wordsPerBullet: z.number().min(0).nullable(),
    bulletTexts: z.array(z.string()).openapi({ description: 'The bullets as they were judged, without markers.' }),
    ...shape.judgedFields,
  })
  .openapi('SummHayEvaluation');
type Evaluation = TypeOf<typeof answer>;
export type SummHayAnswer = shape.Unjudged<Evaluation>;

const INSIGHTS = [{ id: 'traffic', text: shape.FACT, documents: ['council'] }];

const ORDER: Order = {
  metric: 'summhay',
  bullets: [`${shape.FACT} [council, press]`],
  insights: INSIGHTS,
  documents: ['council', 'press'],
};

const ANSWER: Evaluation = {
  metric: 'summhay',
  coverage: 100,
  citation: 66.6667,
  citationPrecision: 50,
  citationRecall: 100,
  joint: 66.6667,
  insights: [{ id: 'traffic', coverage: 100, score: 0.9987, bullet: 0, precision: 50, recall: 100, f1: 66.6667 }],
  bullets: 1,
  wordsPerBullet: 8,
  bulletTexts: [shape.FACT],
  ...shape.JUDGED_EXAMPLE,
};

const STORED_DIGEST: Order = {
  metric: 'summhay',
  digest: 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071',
  insights: INSIGHTS,
};

const summary = 'Coverage of insights, and citations';

export const summHay = {
  name: 'summhay',
  title: 'SummHay',
  measures:
    'How far the best bullet covers each insight (0, 50 or 100), whether it cites the documents that tell it, and both as one (Laban et al. 2024)',
  order,
  answer,
  examples: {
    requests: { summhay: { summary, value: ORDER }, digest: { summary: 'A stored digest', value: STORED_DIGEST } },
    answers: { summhay: { summary, value: ANSWER } },
  },
  embedded: { kappa: 0.57, items: 1083 },
  text: 'bullets',
  prefix: 'summhay',
  figures: [
    { name: 'coverage', title: 'coverage', over: weightOf('coverage') },
    { name: 'citation', title: 'citation', over: weightOf('citation') },
    { name: 'citationPrecision', title: 'citation precision', over: weightOf('citation') },
    { name: 'citationRecall', title: 'citation recall', over: weightOf('citation') },
    { name: 'joint', title: 'joint', isMain: true, over: weightOf('joint') },
    { name: 'wordsPerBullet', title: 'words/bullet', isDescriptive: true },
  ],
  async resolve({ digest: _, bullets: given, documents, sources, ...rest }, digest): Promise<SummHayRequest> {
    // The documents of a digest may be incomplete: a search may have found them.
    if (documents !== undefined) checkInsightDocuments(rest.insights, new Set(documents));
    checkSources(sources, given, 'bullets', documents);
    const others = rest.insights.flatMap((insight) => insight.documents ?? []);
    const bullets = typeof given === 'string' ? splitBullets(given, { documents, sources, others }, '/bullets') : given;
    return {
      ...rest,
      bullets: bullets ?? needed(digest?.sentences, '/bullets'),
      documents: documents ?? digest?.documents,
    };
  },
  check: checkBullets,
  score: scoreBullets,
  said(request) {
    const known = knownDocuments(request);
    return request.bullets.map((bullet) => readBullet(bullet, known).text);
  },
  requestOf({ sentences, documents, insights = [] }) {
    if (insights.length === 0) return null;
    return {
      metric: 'summhay',
      bullets: sentences,
      // An insight without documents has no right or wrong citations.
      insights: insights.map(({ id, text, documents = [] }) => ({
        id,
        text,
        ...(documents.length > 0 && { documents }),
      })),
      documents: documents.map(({ id }) => id),
    };
  },
} satisfies Metric<Order, SummHayRequest, Evaluation>;

/** Scores of several summaries are means over all insights (as in the published code of Laban et al. 2024). */
function weightOf(name: keyof ReturnType<typeof summHayWeights>) {
  return ({ insights }: SummHayRequest, answer: Evaluation): number =>
    summHayWeights(answer.insights.map(({ f1 }, place) => ({ f1, hasDocuments: hasDocuments(insights[place]) })))[name];
}

function hasDocuments({ documents = [] }: shape.Insight): boolean {
  return documents.length > 0;
}

/** @throws UnusableOptionError for an insight that names an unknown document */
function checkInsightDocuments(insights: readonly shape.Insight[], known: ReadonlySet<string>): void {
  insights.forEach(({ documents = [] }, i) => {
    const j = documents.findIndex((document) => !known.has(document));
    if (j >= 0) throw new UnusableOptionError(`/insights/${i}/documents/${j}`, 'is not the id of one of the documents');
  });
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
  const bullets = request.bullets.map((bullet, place) => ({ place, ...readBullet(bullet, known) }));
  const texts = bullets.map(({ text }) => text);
  const said = groupBy(
    bullets.filter(({ text }) => text.trim() !== ''),
    ({ text }) => text,
  );
  const insightTexts = request.insights.map(({ text }) => text);
  const verdicts = said.size === 0 ? [] : await judge.coverage(insightTexts, [...said.keys()]);
  const same = [...said.values()];
  const insights = request.insights.map(({ id, documents }, place) => {
    const { level, score, bullet } = verdicts[place] ?? { level: 0, score: 0, bullet: null };
    const saying = bullet === null ? [] : same[bullet];
    const found = {
      id,
      coverage: level,
      score,
      bullet: saying[0]?.place ?? null,
      precision: null,
      recall: null,
      f1: null,
    };
    const expected = new Set(documents);
    if (level === 0 || expected.size === 0) return found;
    const [best] = saying
      .map((each) => ({ bullet: each.place, ...citationScores(each.documents, expected) }))
      .sort((a, b) => b.f1 - a.f1 || b.precision - a.precision);
    return { ...found, ...best };
  });
  return {
    metric: 'summhay',
    ...summHayTotals(insights.map((each, place) => ({ ...each, hasDocuments: hasDocuments(request.insights[place]) }))),
    insights,
    bullets: texts.length,
    wordsPerBullet: texts.length === 0 ? null : sum(texts.map((text) => countWords(text))) / texts.length,
    bulletTexts: texts,
  };
}

/** Maximum number of documents cited by a bullet, so that ranges cannot exhaust memory. */
const MAX_CITED = 10_000;

function knownDocuments({ documents = [], insights }: SummHayRequest): Set<string> {
  return new Set([...documents, ...insights.flatMap((insight) => insight.documents ?? [])]);
}

function checkBullets(request: SummHayRequest): void {
  const { insights, bullets } = request;
  if (insights.length === 0) throw new InvalidEvaluationError('/insights', 'has no insight to look for');
  const ids = insights.map(({ id }) => id);
  checkEach(ids, '/insights/*/id', isRepeated(ids));
  checkEach(insights, '/insights/*/text', ({ text }) => isBlank(text));
  const known = knownDocuments(request);
  checkEach(bullets, '/bullets/*', (bullet) => {
    const isTooMuch = typeof bullet === 'string' && countCited(findMarkers(bullet, known)) > MAX_CITED;
    return isTooMuch ? `cites more than ${MAX_CITED} documents` : null;
  });
}

const LIST_SIGN = /^\s*(?:(?:[-*+•‣▪◦–—]|#{1,6}|\(?\d{1,3}[.)])(?:\s+|$))+/u;

/**
 * Reads a bullet: "- Fares rose [1, 2][3]." says "Fares rose." and cites 1, 2 and 3.
 * @param bullet with markers, or with separate citations and an exact text
 * @param known ids of the documents, which distinguish non-numeric markers from other brackets
 */
export function readBullet(bullet: string | shape.CitedBullet, known: ReadonlySet<string>): shape.CitedBullet {
  if (typeof bullet !== 'string') return { text: bullet.text, documents: [...new Set(bullet.documents)] };
  const text = stripMarkers(bullet, known).text.replace(LIST_SIGN, '').replace(/\s+/gu, ' ').trim();
  return { text, documents: citedDocuments(findMarkers(bullet, known)) };
}

interface CoveredInsight {
  readonly coverage: shape.CoverageLevel;
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
export function summHayTotals(insights: readonly CoveredInsight[]) {
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

/**
 * Compares the citations of a bullet with the documents of its insight (Laban et al. 2024, section 4.1).
 * @param cited each once; without any, all three are 0
 * @param expected each once, at least one
 * @returns 0 to 100
 */
export function citationScores(cited: readonly string[], expected: ReadonlySet<string>) {
  const right = cited.filter((document) => expected.has(document)).length;
  return {
    precision: cited.length === 0 ? 0 : (100 * right) / cited.length,
    recall: (100 * right) / expected.size,
    f1: (200 * right) / (cited.length + expected.size),
  };
}
