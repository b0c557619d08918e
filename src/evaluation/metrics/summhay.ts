import { UnusableOptionError } from '../../digest/index.ts';
import { splitBullets } from '../marked-text.ts';
import { checkSources, type Metric, needed } from '../metric.ts';
import type { Insight } from '../shapes.ts';
import {
  bulletText,
  checkBullets,
  hasReferences,
  knownDocuments,
  SUMMHAY_EXAMPLES,
  type SummHayEvaluation,
  type SummHayOrder,
  type SummHayRequest,
  scoreBullets,
  summHayAnswer,
  summHayOrder,
  summHayWeights,
} from './summhay-scores.ts';

export const summHay = {
  name: 'summhay',
  title: 'SummHay',
  measures:
    'How far the best bullet covers each insight (0, 50 or 100), whether it cites the documents that tell it, and both as one (Laban et al. 2024)',
  order: summHayOrder,
  answer: summHayAnswer,
  examples: SUMMHAY_EXAMPLES,
  text: 'bullets',
  prefix: 'summhay',
  figures: [
    { name: 'coverage', title: 'coverage', over: weightOf('coverage') },
    { name: 'citation', title: 'citation', over: weightOf('citation') },
    { name: 'citationPrecision', title: 'citation precision', isDescriptive: true, over: weightOf('citation') },
    { name: 'citationRecall', title: 'citation recall', isDescriptive: true, over: weightOf('citation') },
    { name: 'joint', title: 'joint', isMain: true, over: weightOf('joint') },
    { name: 'wordsPerBullet', title: 'words/bullet', isDescriptive: true },
  ],
  async resolve({ digest: _, bullets: given, documents, sources, ...rest }, digest): Promise<SummHayRequest> {
    // The documents of a digest may be incomplete: a search may have found them.
    if (documents !== undefined) checkInsights(rest.insights, new Set(documents));
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
  score: async (request, judge) => ({ metric: 'summhay', ...(await scoreBullets(request, judge)) }),
  said(request) {
    const known = knownDocuments(request);
    return request.bullets.map((bullet) => bulletText(bullet, known));
  },
  requestOf({ sentences, documents, insights = [] }) {
    if (insights.length === 0) return null;
    const ids = documents.map(({ id }) => id);
    return { metric: 'summhay', bullets: sentences, insights: insights.map(withoutEmptyList), documents: ids };
  },
} satisfies Metric<SummHayOrder, SummHayRequest, SummHayEvaluation>;

/** Scores of several summaries are means over all insights (as in the published code of Laban et al. 2024). */
function weightOf(name: keyof ReturnType<typeof summHayWeights>) {
  return ({ insights }: SummHayRequest, answer: SummHayEvaluation): number =>
    summHayWeights(answer.insights.map(({ f1 }, place) => ({ f1, hasDocuments: hasReferences(insights[place]) })))[
      name
    ];
}

/** @throws UnusableOptionError for an insight that names an unknown document */
function checkInsights(insights: readonly Insight[], known: ReadonlySet<string>): void {
  insights.forEach(({ documents = [] }, i) => {
    const j = documents.findIndex((document) => !known.has(document));
    if (j >= 0) throw new UnusableOptionError(`/insights/${i}/documents/${j}`, 'is not the id of one of the documents');
  });
}

/** An insight without documents has no right or wrong citations. */
function withoutEmptyList({ id, text, documents = [] }: Insight): Insight {
  return { id, text, ...(documents.length > 0 && { documents }) };
}
