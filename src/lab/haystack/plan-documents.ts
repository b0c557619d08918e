import { type Random, shuffled } from '../../selection/index.ts';
import { groupBy } from '../../text/index.ts';
import { drawsFor, type HaystackOptions, type PlacedInsight } from './haystack-options.ts';

/** How many documents insights are dealt to. */
interface DealingSizes {
  readonly documents: number;
  /** Documents that tell an insight, at least; not more than there are. */
  readonly least: number;
}

/** Documents that each of so many insights is dealt to: at least as many as asked for, and so many that none is empty. */
export function copiesOf(insights: number, { documents, least }: DealingSizes): number {
  return insights === 0 ? 0 : Math.min(documents, Math.max(least, Math.ceil(documents / insights)));
}

/**
 * Deals insights to documents: every one to as many (`copiesOf`), none twice to one, and their numbers differ by at most one.
 * A document tells of several subtopics (Laban et al. 2024, section 3.2): of each its share of all that is told of it,
 * rounded up or down. Which insights of a subtopic come together, and which subtopics, is drawn.
 *
 * @returns places of insights, for each document, those of a subtopic behind each other; where a document stands says nothing
 * of what it tells, nor where in it an insight stands
 */
export function dealInsights(insights: readonly PlacedInsight[], sizes: DealingSizes, random: Random): number[][] {
  const { documents } = sizes;
  const copies = copiesOf(insights.length, sizes);
  const own = groupBy([...insights.keys()], (place) => insights[place].subtopic);
  const subtopics = [...own.values()];
  const totals = subtopics.map(({ length }) => copies * length);
  const extra = dealEvenly(
    totals.map((total) => total % documents),
    evenSizes(
      totals.reduce((sum, total) => sum + (total % documents), 0),
      documents,
    ),
    random,
  );
  const hands = subtopics.map((places, subtopic) => {
    const base = Math.floor(totals[subtopic] / documents);
    const loads = extra.map((more) => base + Number(more.includes(subtopic)));
    const dealt = dealEvenly(
      places.map(() => copies),
      loads,
      random,
    );
    return dealt.map((items) => items.map((item) => places[item]));
  });
  const loads = Array.from({ length: documents }, (_, document) =>
    shuffled(hands, random).flatMap((ofSubtopic) => shuffled(ofSubtopic[document], random)),
  );
  return shuffled(loads, random);
}

/** So many parts of a number that differ by one at most. */
function evenSizes(total: number, parts: number): number[] {
  const end = (part: number) => Math.floor((part * total) / parts);
  return Array.from({ length: parts }, (_, part) => end(part + 1) - end(part));
}

/**
 * Deals items to hands: each item to as many hands as it has copies, never twice to one, each hand as many as it takes. What
 * a hand gets is drawn, an item with many copies left more likely than one with few; what would not find hands enough behind
 * this one goes first, so that all are dealt (Gale 1957; Ryser 1957: as the sizes differ by one at most, they can be).
 *
 * @param copies of each item, at most as many as there are hands
 * @param sizes of the hands, which differ by one at most; together as many as there are copies
 * @returns places of items, for each hand
 */
export function dealEvenly(copies: readonly number[], sizes: readonly number[], random: Random): number[][] {
  const left = [...copies];
  return sizes.map((size, hand) => {
    const taken = [...left.keys()].filter((item) => left[item] === sizes.length - hand);
    while (taken.length < size) taken.push(drawn(left, taken, random));
    for (const item of taken) left[item]--;
    return taken;
  });
}

/** An item that is not taken, by how many copies of it are left. */
function drawn(left: readonly number[], taken: readonly number[], random: Random): number {
  const open = [...left.keys()].filter((item) => left[item] > 0 && !taken.includes(item));
  let at = random() * open.reduce((sum, item) => sum + left[item], 0);
  for (const item of open) {
    at -= left[item];
    if (at < 0) return item;
  }
  // The sum of the shares may round to a little more than what is subtracted.
  const last = open.at(-1);
  if (last === undefined) throw new RangeError('the hands take more than there is');
  return last;
}

/** Who prints an article. */
const OUTLETS = [
  'the front page of a national daily, sober and dense',
  'the business pages of a financial newspaper, dry and exact',
  'a local paper that knows the people it writes about',
  'a news agency, the most important first, in short sentences',
  'a weekly magazine that tells a story and explains it',
  'a tabloid, lively and blunt',
  'a trade journal for people of the field',
  'the website of a public broadcaster, plain and even-handed',
  'a newsletter of an analyst, with a view of its own',
  'the science pages of a quality paper, patient with readers',
  'an investigative desk, with what documents and sources say',
  'a regional radio station, written to be read aloud',
] as const;

/** What an article opens with. */
const OPENINGS = [
  'a scene',
  'the latest news',
  'what somebody says',
  'a question',
  'a look back',
  'what surprises most',
  'a person and what concerns them',
] as const;

/** Where people speak. */
const SETTINGS = [
  'an episode of a podcast',
  'a debate on the radio',
  'a meeting of a team at work',
  'a talk over lunch between colleagues',
  'a hearing of a committee',
  'an interview for a documentary',
  'a seminar at a university',
  'a panel before an audience',
  'a call between a client and advisers',
  'an evening among old friends',
] as const;

const SPEAKERS = [
  ...['Amara', 'Bjorn', 'Chiara', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hana', 'Ivan', 'Jun', 'Katya', 'Luis'],
  ...['Mei', 'Nils', 'Oksana', 'Priya', 'Quentin', 'Rosa', 'Samuel', 'Tove', 'Umar', 'Vera', 'Wanda', 'Yusuf'],
] as const;

/** A document that is to be written. */
export interface PlannedDocument {
  readonly id: string;
  /** From 1. */
  readonly number: number;
  /** Places of the insights that it is to tell. */
  readonly insights: readonly number[];
  readonly manner: Manner;
}

export type Manner =
  | { readonly kind: 'news'; readonly outlet: string; readonly opening: string }
  | { readonly kind: 'conversation'; readonly setting: string; readonly speakers: readonly string[] };

/** Which document tells what, and in what manner: drawn by the seed. */
export function planDocuments(insights: readonly PlacedInsight[], options: HaystackOptions): PlannedDocument[] {
  const { documents, seed, kind } = options;
  const draw = drawsFor('planning', seed);
  return dealInsights(insights, options, drawsFor('dealing', seed)).map((dealt, place) => ({
    id: documentId(place, documents),
    number: place + 1,
    insights: dealt,
    manner: kind === 'news' ? newsManner(draw) : conversationManner(draw),
  }));
}

/** Ids that sort as the documents stand: `document-007` of a hundred. */
export function documentId(place: number, documents: number): string {
  return `document-${String(place + 1).padStart(String(documents).length, '0')}`;
}

function newsManner(draw: Random): Manner {
  return { kind: 'news', outlet: oneOf(OUTLETS, draw), opening: oneOf(OPENINGS, draw) };
}

function conversationManner(draw: Random): Manner {
  const setting = oneOf(SETTINGS, draw);
  return { kind: 'conversation', setting, speakers: shuffled(SPEAKERS, draw).slice(0, draw() < 0.5 ? 2 : 3) };
}

function oneOf(list: readonly string[], draw: Random): string {
  return list[Math.floor(draw() * list.length)];
}
