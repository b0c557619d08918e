import { UnusableOptionError } from '../../digest/index.ts';
import { CLOSING, citationMarkers, OPENING } from '../../text/index.ts';
import {
  badge,
  cell,
  type Explanation,
  type Item,
  number,
  type Part,
  rowHead,
  type Thresholds,
  type Tone,
  wideCell,
} from '../explanation.ts';
import { splitBullets } from '../marked-text.ts';
import { checkSources, type Metric, needed } from '../metric.ts';
import type { CoverageLevel, Insight } from '../shapes.ts';
import {
  bulletText,
  checkBullets,
  hasReferences,
  type InsightAnswer,
  knownDocuments,
  type ReadBullet,
  readBullet,
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
  warnings: markerWarnings,
  said(request) {
    const known = knownDocuments(request);
    return request.bullets.map((bullet) => bulletText(bullet, known));
  },
  requestOf({ sentences, documents, insights = [] }) {
    if (insights.length === 0) return null;
    const ids = documents.map(({ id }) => id);
    return { metric: 'summhay', bullets: sentences, insights: insights.map(withoutEmptyList), documents: ids };
  },
  explain,
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

const TONES: Readonly<Record<CoverageLevel, Tone>> = { 0: 'bad', 50: 'half', 100: 'good' };

function explain(request: SummHayRequest, { insights }: SummHayEvaluation, thresholds: Thresholds | null): Explanation {
  const known = knownDocuments(request);
  const bullets = request.bullets.map((bullet) => readBullet(bullet, known));
  return [
    {
      caption: 'Insights',
      heads: ['Insight', 'Covered', 'Best bullet', 'Markers'],
      rows: insights.map((verdict, index) => insightRow(request.insights[index], verdict, bullets, thresholds)),
    },
    {
      heading: 'Bullets',
      items: bullets.map((bullet, index) => bulletItem(bullet, index, insights)),
      whenEmpty: 'There are none.',
    },
  ];
}

function insightRow(
  { id, text, documents: expected = [] }: Insight,
  { coverage, score, bullet, precision, recall, f1 }: InsightAnswer,
  bullets: readonly ReadBullet[],
  thresholds: Thresholds | null,
) {
  const best = bullet === null ? undefined : bullets[bullet];
  const isCited = f1 !== null && best !== undefined;
  const markers: Part[] = isCited
    ? [
        markerGroups(best.documents, expected),
        { note: `P ${number(precision, 0)} · R ${number(recall, 0)} · F1 ${number(f1, 0)}` },
      ]
    : [{ muted: expected.length === 0 ? 'not known' : 'not covered' }];
  return [
    rowHead(text, { muted: id }),
    cell(badge(String(coverage), TONES[coverage])),
    wideCell(best === undefined || bullet === null ? 'There are no bullets.' : `${bullet + 1}. ${best.text}`, {
      note: whyOf(coverage, score, thresholds),
    }),
    cell(...markers),
  ];
}

function whyOf(coverage: CoverageLevel, score: number, thresholds: Thresholds | null): string {
  const has = `score ${number(score, 2)}`;
  if (thresholds === null || coverage === 100) return has;
  const { half, full } = thresholds;
  if (coverage === 50) return `${has}; covered in full from ${number(full, 2)}`;
  return `missed: ${has}, half covered from ${number(half, 2)}`;
}

function markerGroups(cited: readonly string[], expected: readonly string[]): Part {
  const groups = [
    { name: 'right', ids: cited.filter((id) => expected.includes(id)), tone: 'good' as const },
    { name: 'wrong', ids: cited.filter((id) => !expected.includes(id)), tone: 'bad' as const },
    { name: 'missing', ids: expected.filter((id) => !cited.includes(id)), tone: 'half' as const },
  ];
  return {
    groups: groups
      .filter(({ ids }) => ids.length > 0)
      .map(({ name, ids, tone }) => ({ name, badges: ids.map((id) => citationMarkers([id])), tone })),
  };
}

function bulletItem({ text, documents }: ReadBullet, index: number, insights: readonly InsightAnswer[]): Item {
  const covered = insights.filter(({ bullet, coverage }) => bullet === index && coverage > 0);
  const cited = documents.length === 0 ? '' : ` · cites ${documents.map((id) => citationMarkers([id])).join(' ')}`;
  const covers = covered.map(({ id, coverage }) => `${id} (${coverage})`).join(', ');
  return {
    text: text === '' ? { muted: 'says nothing' } : text,
    note: `${covers === '' ? 'covers no insight' : `covers ${covers}`}${cited}`,
  };
}

const BESIDE = `[^${OPENING}${CLOSING}]{0,40}`;
/** A bracket kept as text though it resembles a marker: it contains a digit, or is a footnote. */
const LIKE_A_MARKER = new RegExp(`[${OPENING}]${BESIDE}\\d${BESIDE}[${CLOSING}]`, 'u');

/** Warns of unreadable markers, and of citations that no insight and no list of documents contains. */
export function markerWarnings(request: SummHayRequest): string[] {
  const known = knownDocuments(request);
  const read = request.bullets.map((bullet) => readBullet(bullet, known));
  const odd = read.filter(({ text }, place) => typeof request.bullets[place] === 'string' && LIKE_A_MARKER.test(text));
  const strange = read.filter(({ documents }) => documents.some((id) => !known.has(id)));
  const warnings: string[] = [];
  if (odd.length > 0) {
    warnings.push(
      `${bullets(odd.length)} a bracket that looks like a marker and could not be read as one; it counts as text.`,
    );
  }
  if (known.size > 0 && strange.length > 0) {
    warnings.push(`${bullets(strange.length)} a marker of a document that neither the insights nor "documents" name.`);
  }
  return warnings;
}

function bullets(count: number): string {
  return count === 1 ? 'One bullet has' : `${count} bullets have`;
}
