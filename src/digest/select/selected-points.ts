import type { Quote } from '../../contract/index.ts';
import type { Near } from '../../selection/index.ts';
import {
  type Citable,
  isLostAlone,
  leansOn,
  quotedText,
  repeatsSpelt,
  type SelectedPoint,
  type Support,
  seriesOf,
  spelt,
} from '../../summary/index.ts';
import {
  earlierSentence,
  groupBy,
  leaning,
  memoized,
  openingOf,
  STOP_WORDS,
  sentences,
  surroundingText,
  tidy,
} from '../../text/index.ts';
import type { Reading } from '../extract/extract.ts';
import type { Point } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Plan } from '../plan.ts';
import type { DigestRanking } from '../rank/rank-points.ts';
import type { Selected } from './select.ts';

const MAX_RELATED = 10;
/** How far S of a related point may lie below that of a familiar one (docs/decisions/citing-sources.md). */
const RELATED_BELOW = 0.12;

/** The selection for a writer: every pick with supporting points and ids of similar ones. */
export function selectedPoints(
  plan: Pick<Plan, 'options' | 'extractor'>,
  { points, documents }: Pick<Reading, 'points' | 'documents'>,
  ranking: Pick<DigestRanking, 'values' | 'eligible' | 'facets' | 'intent'>,
  selected: Pick<Selected, 'candidates' | 'selection' | 'feedsWriter' | 'options'>,
): SelectedPoint[] {
  const { candidates, feedsWriter } = selected;
  const { picks, nearest, salience } = selected.selection;
  const { isModel: isWorded } = plan.extractor;
  const { intent } = ranking;
  const cited = citedItems(plan, { points, documents }, selected);
  const inContext = quotesInContext(documents);
  const picked = new Set(picks.map(({ item }) => candidates[item]));
  const antecedentOf = (index: number): SelectedPoint['antecedent'] => {
    const pair = points.slice(Math.max(0, index - 1), index + 1);
    const [before, point] = pair;
    if (isWorded || pair.length < 2 || picked.has(index - 1) || before.speaker !== point.speaker) return undefined;
    return leansOn(pair)[1] === 0 && !isLostAlone(before)
      ? { quote: plainQuote(before.quote), text: before.text }
      : undefined;
  };
  const supportBy = ({ item, similarity }: Near): Support => {
    const { id, document, quote, text, speaker } = points[candidates[item]];
    // Supporting points are not judged, so use the words of their documents.
    const statement = isWorded ? quotedText({ quote }) : text;
    return { keyPoint: id, document, quote: plainQuote(quote), text: statement, speaker, similarity };
  };
  return picks.map(({ item }, rank) => {
    const index = candidates[item];
    const { id, document, text, speaker, quote, moreQuotes, under, selfContained } = points[index];
    const related = nearest.near[rank]
      .filter((other) => !cited[rank].has(other.item))
      .sort((a, b) => b.similarity - a.similarity || a.item - b.item)
      .slice(0, MAX_RELATED)
      .map((other) => points[candidates[other.item]].id);
    return {
      id,
      document,
      text,
      speaker,
      quote: plainQuote(quote),
      moreQuotes: moreQuotes.map(plainQuote),
      antecedent: antecedentOf(index),
      ...inContext(points[index]),
      isWorded,
      helps: !feedsWriter || intent === null || ranking.eligible[index] === 1,
      relevance: ranking.values[index],
      salience: salience?.[item] ?? 0,
      alike: new Set(nearest.near[rank].map((other) => points[candidates[other.item]].document)).size,
      rank: rank + 1,
      facet: intent === null ? null : ranking.facets[index],
      supports: nearest.near[rank].filter((other) => cited[rank].has(other.item)).map(supportBy),
      related,
      under,
      selfContained,
    };
  });
}

/** All that is not selected, as a writer may cite who reads the documents whole: the other points, and sentences that are none. */
export function otherPassages(
  { points, documents }: Pick<Reading, 'points' | 'documents'>,
  selected: readonly Pick<SelectedPoint, 'id'>[],
): Citable[] {
  const inContext = quotesInContext(documents);
  const chosen = new Set(selected.map(({ id }) => id));
  const asCited = (point: Quoted, id: string | null): Citable => ({
    id,
    document: point.document,
    text: point.text,
    speaker: point.speaker,
    quote: plainQuote(point.quote),
    moreQuotes: point.moreQuotes.map(plainQuote),
    ...inContext(point),
  });
  return [
    ...points.filter(({ id }) => !chosen.has(id)).map((point) => asCited(point, point.id)),
    ...sentencesBetween(points, documents).map((sentence) => asCited(sentence, null)),
  ];
}

const WORDY = /[\p{L}\p{N}]/u;

/** The sentences of the documents, headings and questions among them, that no point quotes. */
function sentencesBetween(points: readonly Point[], documents: readonly ReadDocument[]): Quoted[] {
  const own = groupBy(points, ({ documentIndex }) => documentIndex);
  return documents.flatMap(({ document: { id, text } }, documentIndex) => {
    const taken = (own.get(documentIndex) ?? []).map(({ quote }) => quote).sort((a, b) => a.start - b.start);
    let next = 0;
    return sentences(text).flatMap(({ start, end }): Quoted[] => {
      while (next < taken.length && taken[next].end <= start) next++;
      const quoted = text.slice(start, end);
      if (!WORDY.test(quoted) || (next < taken.length && taken[next].start < end)) return [];
      const quote = { text: quoted, start, end, status: 'exact' } as const;
      return [{ document: id, documentIndex, text: tidy(quoted), speaker: undefined, quote, moreQuotes: [] }];
    });
  });
}

/**
 * For each pick the near items that are cited beside it: those that repeat it. With `cites: "related"` also those that the kernel joins to
 * it and that are about as near as a paraphrase. Reports of a series say the same of different events.
 */
function citedItems(
  { options, extractor }: Pick<Plan, 'options' | 'extractor'>,
  { points, documents }: Pick<Reading, 'points' | 'documents'>,
  {
    candidates,
    selection: { picks, nearest },
    options: { kernel, support },
  }: Pick<Selected, 'candidates' | 'selection' | 'options'>,
): ReadonlySet<number>[] {
  const restates = restatements(documents, extractor.isModel);
  const { familiar, same } = options.kernelEncoder.profile.calibration;
  const level = kernel.similarity === 'cosine' ? same : familiar - RELATED_BELOW;
  return picks.map(({ item }, rank) => {
    const isRestated = restates(points[candidates[item]]);
    const isCited = ({ item: near, similarity, joins }: Near): boolean => {
      if (support.cites === 'related' && joins && similarity >= level) return true;
      return isRestated(points[candidates[near]]);
    };
    return new Set(nearest.near[rank].filter(isCited).map((near) => near.item));
  });
}

type Stated = Pick<Point, 'document' | 'documentIndex' | 'text' | 'quote'>;

/** Tells of a claim which other points repeat it. @param isWorded whether a model worded the points, so that their quotes count */
export function restatements(
  documents: readonly ReadDocument[],
  isWorded: boolean,
): (claim: Stated) => (other: Stated) => boolean {
  const series = seriesOf(documents.map(({ document }) => document));
  const wordingOf = (point: Stated): string => (isWorded ? quotedText(point) : point.text);
  const words = memoized((point: Stated) => spelt(wordingOf(point)));
  return (claim) => {
    const english = documents[claim.documentIndex].extraction?.language === 'eng';
    const isOpen = leaning(wordingOf(claim), { english, lower: false }) !== 'none';
    return (other) => {
      const isTwin = series.has(claim.document) && series.has(other.document) && claim.document !== other.document;
      return !isOpen && !isTwin && repeatsSpelt(words(claim), words(other));
    };
  };
}

export function plainQuote({ text, start, end }: Quote): Quote {
  return { text, start, end };
}

const NAMING = /^(?:\p{Lu}\p{L}{2,}|\d{2,})/u;

type Quoted = Pick<Point, 'document' | 'documentIndex' | 'text' | 'speaker' | 'quote' | 'moreQuotes'>;

/** A judge sees a document of at most this length whole, in UTF-16 units. */
const MAX_WHOLE = 8000;

/** Quotes for a judge, with the text around, the opening of the document, and the nearest earlier sentence with missing names. */
export function quotesInContext(
  documents: readonly ReadDocument[],
): (point: Quoted) => Pick<SelectedPoint, 'inContext' | 'within' | 'opening' | 'earlier'> {
  const known = new Map<number, ReturnType<typeof sentences>>();
  return ({ documentIndex, text: wording, speaker = '', quote, moreQuotes }) => {
    const { text, title = '' } = documents[documentIndex].document;
    const all = known.get(documentIndex) ?? sentences(text);
    known.set(documentIndex, all);
    const quotes = [quote, ...moreQuotes];
    const inContext = quotes.map((each) => ({ text: each.text, ...surroundingText(text, each, all) }));
    const from = Math.min(...inContext.map(({ before }, q) => quotes[q].start - before.length));
    const opening = from <= (all[0]?.start ?? 0) ? undefined : openingOf(text, all);
    const around = inContext.map(({ before, text: own, after }) => before + own + after);
    const shown = wordsOf([title, speaker, opening ?? '', ...around].join(' ').toLowerCase());
    const isMissing = (word: string): boolean => !shown.has(word.toLowerCase()) && !STOP_WORDS.has(word.toLowerCase());
    const missing = [...wordsOf(wording)].filter((word) => NAMING.test(word) && isMissing(word));
    const within =
      text.length <= MAX_WHOLE ? { text, spans: quotes.map(({ start, end }) => ({ start, end })) } : undefined;
    return { inContext, within, opening, earlier: earlierSentence(text, missing, from, all) };
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}]+/gu));
}
