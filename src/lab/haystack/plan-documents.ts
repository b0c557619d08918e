import type { Random } from '../../selection/dpp/random.ts';
import { shuffled } from '../../selection/dpp/shuffled.ts';
import { dealInsights } from './deal-insights.ts';
import { drawsFor } from './draws.ts';
import type { HaystackOptions, PlacedInsight } from './haystack-options.ts';
import { OPENINGS, OUTLETS, SETTINGS, SPEAKERS } from './manners.ts';

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
