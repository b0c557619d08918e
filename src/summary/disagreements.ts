import { isTimeless } from './contradiction/could-both-hold.ts';
import { readStatement, type Statement } from './contradiction/read-statement.ts';
import { COMPARABLE, contradictionBetween } from './contradiction.ts';
import type { RequestedDocument, SelectedPoint, Support } from './summary.ts';

type Stated = Pick<SelectedPoint, 'document' | 'text' | 'speaker'>;

/**
 * Compares what documents say. Statements of one document (or one speaker of it) are not held against each other, nor
 * are statements of different years, unless they are of no particular time.
 */
export class Disagreements {
  private readonly years: ReadonlyMap<string, string>;
  private readonly commonWords: ReadonlySet<string>;
  private readonly read = new Map<string, Statement | null>();

  /** @param texts Everything that is at hand: what stands in lower case anywhere is known not to be a name. */
  constructor(documents: readonly RequestedDocument[], texts: readonly string[]) {
    this.years = new Map(documents.flatMap((document) => yearOf(document)));
    this.commonWords = new Set(texts.flatMap((text) => text.match(/(?<=\p{Ll}[,;]? )\p{Ll}+(?![\p{L}\p{N}])/gu) ?? []));
  }

  /** What two statements differ on; null where they do not contradict each other. */
  between(a: Stated, b: Stated, similarity: number): string | null {
    if (!(similarity >= COMPARABLE)) return null;
    const isSameVoice = a.document === b.document && (a.speaker === undefined || a.speaker === b.speaker);
    if (isSameVoice) return null;
    const [left, right] = [this.statement(a.text), this.statement(b.text)];
    if (!left || !right) return null;
    const [yearA, yearB] = [this.years.get(a.document), this.years.get(b.document)];
    if (yearA && yearB && yearA !== yearB && !(isTimeless(left) && isTimeless(right))) return null;
    return contradictionBetween(left, right, this.commonWords)?.on ?? null;
  }

  private statement(text: string): Statement | null {
    let statement = this.read.get(text);
    if (statement === undefined) {
      statement = readStatement(text);
      this.read.set(text, statement);
    }
    return statement;
  }
}

/** A supporter as a statement of its own. */
export function statedBy(support: Support): Stated {
  return { document: support.document, text: support.text ?? support.quote.text, speaker: support.speaker };
}

function yearOf({ id, title, publishedAt }: RequestedDocument): [string, string][] {
  const year = publishedAt?.match(/^\d{4}/u)?.[0] ?? title?.match(/\b(?:1[5-9]|20)\d\d\b/u)?.[0];
  return year ? [[id, year]] : [];
}
