import { type Random, shuffled } from '../../selection/index.ts';
import type { SourceDocument } from '../../text/index.ts';

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
  readonly seeds: readonly SourceDocument[];
  readonly seed: number;
}

type DealingSizes = Pick<HaystackOptions, 'documents' | 'least'>;

/** Documents per insight: at least `least`, and enough to leave no document empty. */
export function copiesOf(insights: number, { documents, least }: DealingSizes): number {
  return insights === 0 ? 0 : Math.min(documents, Math.max(least, Math.ceil(documents / insights)));
}

/**
 * Deals each insight to `copiesOf` distinct documents, so that loads differ by at most one and documents mix subtopics
 * (Laban et al. 2024, section 3.2): the documents take turns in an order that is drawn anew for every round.
 * @param insights grouped by subtopic, so that no document gets more than its share of one, plus two
 * @returns places of insights per document
 */
export function dealInsights(insights: number, sizes: DealingSizes, random: Random): number[][] {
  const dealt = Array.from({ length: sizes.documents }, (): number[] => []);
  const copies = copiesOf(insights, sizes);
  let round: number[][] = [];
  for (let insight = 0; insight < insights; insight++) {
    for (let copy = 0; copy < copies; copy++) {
      if (round.length === 0) round = shuffled(dealt, random);
      // One that is left in a round of its own has had no copy yet.
      const next = round.findIndex((own) => own.at(-1) !== insight);
      for (const own of round.splice(next, 1)) own.push(insight);
    }
  }
  return dealt;
}

const OUTLETS = ['a national daily', 'a financial newspaper', 'a local paper', 'a tabloid', 'a trade journal'];
const OPENINGS = ['a scene', 'the latest news', 'what somebody says', 'a question', 'a look back'];
const SETTINGS = ['an episode of a podcast', 'a debate on the radio', 'a meeting at work', 'a talk over lunch'];
const SPEAKERS = ['Amara', 'Bjorn', 'Chiara', 'Elif', 'Farid', 'Hana', 'Mei', 'Yusuf'];

export interface PlannedDocument {
  readonly id: string;
  readonly number: number;
  readonly insights: readonly string[];
  /** Values of the prompt that make documents differ. */
  readonly manner: Readonly<Record<string, string>>;
}

/** @param insights grouped by subtopic */
export function planDocuments(
  insights: readonly string[],
  options: HaystackOptions,
  random: Random,
): PlannedDocument[] {
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)];
  const speakers = () => shuffled(SPEAKERS, random).slice(0, random() < 0.5 ? 2 : 3);
  return dealInsights(insights.length, options, random).map((own, place) => ({
    // Padded, so that ids sort.
    id: `document-${String(place + 1).padStart(String(options.documents).length, '0')}`,
    number: place + 1,
    insights: shuffled(own, random).map((each) => insights[each]),
    manner:
      options.kind === 'news'
        ? { outlet: oneOf(OUTLETS), opening: oneOf(OPENINGS) }
        : { setting: oneOf(SETTINGS), speakers: speakers().join(', ') },
  }));
}
