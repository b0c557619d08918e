import type { Quote } from '../../contract/index.ts';
import type { Encoder } from '../../models/index.ts';
import type { Near, Selection } from '../../selection/index.ts';
import {
  type Evidence,
  echoes,
  type Held,
  type Intent,
  quotedText,
  type SelectedPoint,
  type SentenceChecker,
  type Support,
  states,
} from '../../summary/index.ts';
import { leaning } from '../../text/index.ts';
import { type Point, quoted } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import { quotesInContext } from './quotes-in-context.ts';

/** What the selection is read with. */
interface SelectedInput {
  readonly selection: Selection;
  /** Indices into `points` of the items that the selection saw. */
  readonly kept: readonly number[];
  readonly points: readonly Point[];
  readonly documents: readonly ReadDocument[];
  readonly ranking: Ranking;
  readonly intent: Intent | null;
  readonly encoder: Encoder;
  /** Whether a writer chooses among the points, so that some may not be relevant enough to be told by themselves. */
  readonly feedsWriter: boolean;
  /** Whether a language model worded the points. */
  readonly isWorded: boolean;
  /** How picks stand whose wording was held against their quotes already, by item. */
  readonly held: ReadonlyMap<number, Held>;
  readonly checker: () => SentenceChecker;
}

/** Key points that are told as near at most, for each selected one. */
const MAX_RELATED = 10;

/** The selection as the writer needs it: every picked point with those that state it, in canonical order, and those near it. */
export async function selectedPoints(input: SelectedInput): Promise<SelectedPoint[]> {
  const { selection, kept, points, documents, ranking, intent, isWorded, held, feedsWriter } = input;
  const { picks, nearest, salience } = selection;
  const stating = await statingOf(input);
  const inContext = quotesInContext(documents);
  return picks.map(({ item }, rank) => {
    const index = kept[item];
    const { id, document, text, speaker, quote, moreQuotes, under, selfContained } = points[index];
    const supportBy = ({ item: other, similarity }: Near): Support => {
      const { id: keyPoint, document: from, quote: own, text: wording, speaker: voice } = points[kept[other]];
      // What is told beside a point is not judged, so that it is told as it stands in its document.
      const statement = isWorded ? quotedText({ quote: own }) : wording;
      return { keyPoint, document: from, quote: plainQuote(own), text: statement, speaker: voice, similarity };
    };
    const related = nearest.near[rank]
      .filter((other) => !stating[rank].has(other.item))
      .sort((a, b) => b.similarity - a.similarity || a.item - b.item)
      .slice(0, MAX_RELATED)
      .map((other) => points[kept[other.item]].id);
    return {
      id,
      document,
      text,
      speaker,
      quote: plainQuote(quote),
      moreQuotes: moreQuotes.map(plainQuote),
      ...inContext(points[index]),
      isWorded,
      ...held.get(item),
      helps: !feedsWriter || intent === null || ranking.passes[index] === 1,
      relevance: ranking.values[index],
      salience: salience?.[item] ?? 0, // where nobody asked who says the same, nobody is known to
      rank: rank + 1,
      facet: intent === null ? null : ranking.facets[index],
      supports: nearest.near[rank].filter((other) => stating[rank].has(other.item)).map(supportBy),
      related,
      under,
      selfContained,
    };
  });
}

/**
 * For each pick the items that state it: one may state several. What a language model worded is compared by its quotes, for nobody
 * has judged the wording; only where one of them is lost alone ("It rose by a tenth") the wordings have to agree as well.
 */
async function statingOf(input: SelectedInput): Promise<Set<number>[]> {
  const { selection, kept, points, documents, isWorded } = input;
  const stating = selection.picks.map(() => new Set<number>());
  const pairs = selection.picks.flatMap(({ item }, place) =>
    selection.nearest.near[place].map(
      (near): Pair => ({ place, near, claim: points[kept[item]], other: points[kept[near.item]] }),
    ),
  );
  if (pairs.length === 0) return stating;
  const checker = input.checker();
  const statement = isWorded
    ? pairs.map((pair): Pair => ({ ...pair, claim: quoted(pair.claim), other: quoted(pair.other) }))
    : pairs;
  const stated = await statedOf(statement, input, checker);
  const isLost = ({ text, documentIndex }: Point): boolean =>
    leaning(text, { english: documents[documentIndex].extraction?.language === 'eng', lower: false }) !== 'none';
  const doubtful = isWorded ? stated.filter((i) => isLost(statement[i].claim) || isLost(statement[i].other)) : [];
  const worded = doubtful.map((i) => pairs[i]);
  const agreeing = new Set((await statedOf(worded, input, checker)).map((place) => doubtful[place]));
  for (const i of stated) {
    const { place, near } = pairs[i];
    if (agreeing.has(i) || !doubtful.includes(i)) stating[place].add(near.item);
  }
  return stating;
}

interface Pair {
  /** Of the pick, among all. */
  readonly place: number;
  readonly near: Near;
  readonly claim: Point;
  readonly other: Point;
}

/** Indices of the pairs whose other point states the claim, in the words that are given. */
async function statedOf(
  pairs: readonly Pair[],
  { selection: { picks, nearest }, kept, points, documents, encoder }: SelectedInput,
  checker: SentenceChecker,
): Promise<number[]> {
  if (pairs.length === 0) return [];
  const { supported, familiar } = encoder.profile.calibration;
  const evidence = pairs.map(({ other }) => evidenceOf(other, documents));
  const verdicts = await checker.check(
    pairs.map(({ claim, other }, i) => ({ text: claim.text, quotes: [other.text], allowedNames: evidence[i].names })),
  );
  const agreeing = picks.map(
    ({ item }, place) =>
      new Set(
        nearest.near[place]
          .filter((near) => near.joins)
          .map((near) => points[kept[near.item]].document)
          .filter((document) => document !== points[kept[item]].document),
      ).size,
  );
  const isStated = ({ place, near: { similarity, joins }, claim }: Pair, i: number): boolean =>
    states(claim.text, evidence[i], { verdict: verdicts[i], similarity, found: supported.tokens }) ||
    (joins && echoes(claim.text, evidence[i], { similarity, documents: agreeing[place], familiar }));
  return pairs.flatMap((pair, i) => (isStated(pair, i) ? [i] : []));
}

function evidenceOf({ text, speaker, documentIndex }: Point, documents: readonly ReadDocument[]): Evidence {
  const { title } = documents[documentIndex].document;
  return { text, names: [title, speaker].filter((name) => name !== undefined) };
}

/** A citation says where the quote is; how it was found stands with the key point. */
function plainQuote({ text, start, end }: Quote): Quote {
  return { text, start, end };
}
