import { conflict } from './conflict.ts';
import { deniedClause } from './denied-clause.ts';
import { plainText } from './plain-text.ts';
import type { RequestedDocument, SelectedPoint, Support } from '../contract/summary.ts';

type Stated = Pick<SelectedPoint, 'document' | 'text' | 'speaker'>;

/**
 * Similarity (S) below which two points are not compared. Low on purpose, since the wording decides: by BERTScore of
 * MiniLM's tokens, opposed sentences of the tests lie between 0.61 and 0.92, however their words are weighted.
 */
const COMPARABLE = 0.4;

/**
 * Compares what documents say. Statements of one document (or one speaker of it) are not held against each other; those of
 * different times are: what was so in 2024 and no longer is in 2026 is what a reader wants to see.
 */
export class Disagreements {
  readonly #names: ReadonlyMap<string, string>;
  readonly #commonWords: ReadonlySet<string>;

  /** @param texts Everything that is at hand: what stands in lower case anywhere is known not to be a name. */
  constructor(documents: readonly RequestedDocument[], texts: readonly string[]) {
    this.#names = new Map(documents.flatMap(nameOf));
    this.#commonWords = new Set(
      texts.flatMap((text) => text.match(/(?<=\p{Ll}[,;]? )\p{Ll}+(?![\p{L}\p{N}])/gu) ?? []),
    );
  }

  /**
   * What two statements differ on: the two figures, each with the title or date of its document, or a phrase that can follow
   * "differ on"; null where they do not contradict each other.
   *
   * @param similarity S between them
   */
  between(a: Stated, b: Stated, similarity: number): string | null {
    const isSameVoice = a.document === b.document && (a.speaker === undefined || a.speaker === b.speaker);
    if (isSameVoice || !(similarity >= COMPARABLE)) return null;
    const figures = conflict(a.text, b.text, similarity);
    if (figures !== null) return `${this.#side(a, figures[0])} against ${this.#side(b, figures[1])}`;
    return deniedClause(a.text, b.text, this.#commonWords);
  }

  #side({ document }: Stated, figure: string): string {
    const name = this.#names.get(document);
    return name === undefined ? `“${figure}”` : `“${figure}” (${name})`;
  }
}

/** Another key point as a statement of its own. */
export function statedBy(support: Support): Stated {
  return { document: support.document, text: support.text ?? support.quote.text, speaker: support.speaker };
}

/** Its title, and the day it was published where that is known and not in the title. */
function nameOf({ id, title, publishedAt }: RequestedDocument): [string, string][] {
  const date = publishedAt?.slice(0, DAY.length) ?? '';
  const named = plainText(title ?? '');
  const parts = named.includes(date.slice(0, YEAR.length)) ? [named] : [named, date];
  const name = parts.filter((part) => part !== '').join(', ');
  return name === '' ? [] : [[id, name]];
}

const DAY = 'yyyy-mm-dd';
const YEAR = 'yyyy';
