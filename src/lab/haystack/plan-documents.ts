import { type Random, shuffled } from '../../selection/index.ts';
import { dealInsights } from './deal-insights.ts';
import { drawsFor } from './draws.ts';
import type { HaystackOptions, PlacedInsight } from './haystack-options.ts';

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
