import { type Random, seededRandom, shuffled } from '../../selection/index.ts';
import { groupBy } from '../../text/index.ts';

export const HAYSTACK_KINDS = ['news', 'conversation'] as const;

export interface HaystackOptions {
  readonly topic: string;
  readonly kind: (typeof HAYSTACK_KINDS)[number];
  readonly subtopics: number;
  readonly insights: { readonly least: number; readonly most: number };
  readonly documents: number;
  /** Per document, approximate. */
  readonly words: number;
  /** Min documents per insight; at most `documents`. */
  readonly least: number;
  readonly edits: number;
  readonly retries: number;
  readonly seeds: readonly string[];
  readonly seed: number;
}

const PURPOSES = ['recategorising', 'dealing', 'planning', 'showing', 'statements'] as const;

/** Independent random numbers per purpose. @param seed a whole number below 2^32 */
export function drawsFor(purpose: (typeof PURPOSES)[number], seed: number): Random {
  return seededRandom(seed + PURPOSES.indexOf(purpose) * 2 ** 32);
}

interface DealingSizes {
  readonly documents: number;
  readonly least: number;
}

/** Documents per insight: at least `least`, and enough to leave no document empty. */
export function copiesOf(insights: number, { documents, least }: DealingSizes): number {
  return insights === 0 ? 0 : Math.min(documents, Math.max(least, Math.ceil(documents / insights)));
}

/**
 * Deals each insight to `copiesOf` distinct documents; loads differ by at most one. Each document mixes subtopics in
 * proportion to their sizes (Laban et al. 2024, section 3.2).
 * @param subtopicOf the subtopic of each insight
 * @returns places of insights per document, grouped by subtopic
 */
export function dealInsights(subtopicOf: readonly number[], sizes: DealingSizes, random: Random): number[][] {
  const { documents } = sizes;
  const copies = copiesOf(subtopicOf.length, sizes);
  const subtopics = [...groupBy([...subtopicOf.keys()], (place) => subtopicOf[place]).values()];
  const totals = subtopics.map(({ length }) => copies * length);
  const rests = totals.map((total) => total % documents);
  const rest = rests.reduce((sum, each) => sum + each, 0);
  const end = (document: number) => Math.floor((document * rest) / documents);
  const evenly = Array.from({ length: documents }, (_, document) => end(document + 1) - end(document));
  const extra = dealEvenly(rests, evenly, random);
  const hands = subtopics.map((places, subtopic) => {
    const base = Math.floor(totals[subtopic] / documents);
    const loads = extra.map((more) => base + Number(more.includes(subtopic)));
    const dealt = dealEvenly(new Array(places.length).fill(copies), loads, random);
    return dealt.map((items) => items.map((item) => places[item]));
  });
  const loads = Array.from({ length: documents }, (_, document) =>
    shuffled(hands, random).flatMap((ofSubtopic) => shuffled(ofSubtopic[document], random)),
  );
  return shuffled(loads, random);
}

/**
 * Deals copies to hands, never two of an item to one hand. Items that may run out of hands go first, so that all are
 * dealt (Gale 1957; Ryser 1957).
 * @param copies per item, at most the number of hands
 * @param sizes of hands, which differ by at most one and sum to the copies
 * @returns places of items per hand
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

function drawn(left: readonly number[], taken: readonly number[], random: Random): number {
  const open = [...left.keys()].filter((item) => left[item] > 0 && !taken.includes(item));
  let at = random() * open.reduce((sum, item) => sum + left[item], 0);
  for (const item of open) {
    at -= left[item];
    if (at < 0) return item;
  }
  const last = open.at(-1);
  if (last === undefined) throw new RangeError('the hands take more than there is');
  return last;
}

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
const OPENINGS = [
  ...['a scene', 'the latest news', 'what somebody says', 'a question', 'a look back', 'what surprises most'],
  'a person and what concerns them',
] as const;
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

export interface PlannedDocument {
  readonly id: string;
  readonly number: number;
  readonly insights: readonly number[];
  readonly manner: Manner;
}

export type Manner =
  | { readonly kind: 'news'; readonly outlet: string; readonly opening: string }
  | { readonly kind: 'conversation'; readonly setting: string; readonly speakers: string };

export function planDocuments(subtopicOf: readonly number[], options: HaystackOptions): PlannedDocument[] {
  const { documents, seed, kind } = options;
  const draw = drawsFor('planning', seed);
  const oneOf = (list: readonly string[]) => list[Math.floor(draw() * list.length)];
  const newManner = (): Manner => {
    if (kind === 'news') return { kind, outlet: oneOf(OUTLETS), opening: oneOf(OPENINGS) };
    const setting = oneOf(SETTINGS);
    const speakers = shuffled(SPEAKERS, draw).slice(0, draw() < 0.5 ? 2 : 3);
    return { kind, setting, speakers: speakers.join(', ') };
  };
  return dealInsights(subtopicOf, options, drawsFor('dealing', seed)).map((insights, place) => ({
    id: documentId(place, documents),
    number: place + 1,
    insights,
    manner: newManner(),
  }));
}

/** Zero-padded, so that ids sort: `document-007` of a hundred. */
export function documentId(place: number, documents: number): string {
  return `document-${String(place + 1).padStart(String(documents).length, '0')}`;
}
