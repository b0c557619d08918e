import type { Quote } from '../../contract/index.ts';
import type { Near } from '../../selection/index.ts';
import {
  type Evidence,
  echoes,
  quotedText,
  type SelectedPoint,
  type SentenceChecker,
  type Support,
  states,
} from '../../summary/index.ts';
import { earlierSentence, leaning, openingOf, STOP_WORDS, sentences, surroundingText } from '../../text/index.ts';
import type { Reading } from '../extract/extract.ts';
import { type Point, quoted } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Plan } from '../plan.ts';
import type { DigestRanking } from '../rank/rank-points.ts';
import type { Selected } from './select.ts';

const MAX_RELATED = 10;

/** The selection for a writer: every pick with supporting points and ids of similar ones. Calls `checker` only if some are similar. */
export async function selectedPoints(
  plan: Pick<Plan, 'options' | 'extractor'>,
  { points, documents }: Pick<Reading, 'points' | 'documents'>,
  ranking: Pick<DigestRanking, 'values' | 'eligible' | 'facets' | 'intent'>,
  selected: Pick<Selected, 'candidates' | 'selection' | 'feedsWriter'>,
  checker: () => SentenceChecker,
): Promise<SelectedPoint[]> {
  const { candidates, feedsWriter } = selected;
  const { picks, nearest, salience } = selected.selection;
  const { isModel: isWorded } = plan.extractor;
  const { intent } = ranking;
  const stating = await statingItems(plan, { points, documents }, selected, checker);
  const inContext = quotesInContext(documents);
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
      .filter((other) => !stating[rank].has(other.item))
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
      ...inContext(points[index]),
      isWorded,
      helps: !feedsWriter || intent === null || ranking.eligible[index] === 1,
      relevance: ranking.values[index],
      salience: salience?.[item] ?? 0,
      rank: rank + 1,
      facet: intent === null ? null : ranking.facets[index],
      supports: nearest.near[rank].filter((other) => stating[rank].has(other.item)).map(supportBy),
      related,
      under,
      selfContained,
    };
  });
}

interface Pair {
  readonly place: number;
  readonly near: Near;
  readonly claim: Point;
  readonly other: Point;
}

/** For each pick the items that state it: by quotes for model-written points, and by wording too if a quote is unclear alone. */
async function statingItems(
  { options, extractor }: Pick<Plan, 'options' | 'extractor'>,
  { points, documents }: Pick<Reading, 'points' | 'documents'>,
  { candidates, selection: { picks, nearest } }: Pick<Selected, 'candidates' | 'selection'>,
  makeChecker: () => SentenceChecker,
): Promise<ReadonlySet<number>[]> {
  const stating = picks.map(() => new Set<number>());
  const pairs = picks.flatMap(({ item }, place) =>
    nearest.near[place].map(
      (near): Pair => ({ place, near, claim: points[candidates[item]], other: points[candidates[near.item]] }),
    ),
  );
  if (pairs.length === 0) return stating;
  const checker = makeChecker();
  const { supported, familiar } = options.kernelEncoder.profile.calibration;
  const agreeing = picks.map(({ item }, place) => {
    const joined = nearest.near[place]
      .filter(({ joins }) => joins)
      .map((near) => points[candidates[near.item]].document);
    return new Set(joined.filter((document) => document !== points[candidates[item]].document)).size;
  });
  const statedAmong = async (among: readonly Pair[]): Promise<Set<Near>> => {
    if (among.length === 0) return new Set();
    const evidence = among.map(({ other }) => evidenceOf(other, documents));
    const verdicts = await checker.check(
      among.map(({ claim, other }, i) => ({ text: claim.text, quotes: [other.text], allowedNames: evidence[i].names })),
    );
    const isStated = ({ place, near: { similarity, joins }, claim }: Pair, i: number): boolean =>
      states(claim.text, evidence[i], { verdict: verdicts[i], similarity, found: supported.tokens }) ||
      (joins && echoes(claim.text, evidence[i], { similarity, documents: agreeing[place], familiar }));
    return new Set(among.filter(isStated).map(({ near }) => near));
  };
  const { isModel: isWorded } = extractor;
  const inQuotes = isWorded
    ? pairs.map((pair) => ({ ...pair, claim: quoted(pair.claim), other: quoted(pair.other) }))
    : pairs;
  const stated = await statedAmong(inQuotes);
  const isDoubtful = (i: number): boolean =>
    isWorded && (leansBack(inQuotes[i].claim, documents) || leansBack(inQuotes[i].other, documents));
  const found = pairs.flatMap((pair, i) => (stated.has(pair.near) ? [{ ...pair, isDoubtful: isDoubtful(i) }] : []));
  const confirmed = await statedAmong(found.filter((pair) => pair.isDoubtful));
  for (const pair of found) {
    if (!pair.isDoubtful || confirmed.has(pair.near)) stating[pair.place].add(pair.near.item);
  }
  return stating;
}

function evidenceOf({ text, speaker, documentIndex }: Point, documents: readonly ReadDocument[]): Evidence {
  const { title } = documents[documentIndex].document;
  return { text, names: [title, speaker].filter((name) => name !== undefined) };
}

function plainQuote({ text, start, end }: Quote): Quote {
  return { text, start, end };
}

function leansBack(
  { text, documentIndex }: Pick<Point, 'text' | 'documentIndex'>,
  documents: readonly ReadDocument[],
): boolean {
  const english = documents[documentIndex].extraction?.language === 'eng';
  return leaning(text, { english, lower: false }) !== 'none';
}

const NAMING = /^(?:\p{Lu}\p{L}{2,}|\d{2,})/u;

/** Quotes for a judge, with the text around, the opening of the document, and the nearest earlier sentence with missing names. */
export function quotesInContext(
  documents: readonly ReadDocument[],
): (point: Point) => Pick<SelectedPoint, 'inContext' | 'opening' | 'earlier'> {
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
    return { inContext, opening, earlier: earlierSentence(text, missing, from, all) };
  };
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}]+/gu));
}
