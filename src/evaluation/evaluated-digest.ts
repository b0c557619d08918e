import { UnusableOptionError } from '../digest/index.ts';
import type { SourceDocument } from '../text/index.ts';
import type { CitedBullet } from './shapes.ts';

/** A digest that is kept, as far as it can be scored. */
export interface EvaluatedDigest {
  /** Its sentences without the framing, with the ids of the documents that each cites. */
  readonly sentences: readonly CitedBullet[];
  /** Ids of its documents, in the order in which they were sent. */
  readonly documents: readonly string[];
  /**
   * The documents with their texts.
   *
   * @throws UnusableOptionError where some of them are not stored any more
   */
  texts(): Promise<Pick<SourceDocument, 'id' | 'text'>[]>;
}

/** @throws UnusableOptionError for what neither the order nor a digest gives */
export function needed<Value>(value: Value | null | undefined, pointer: string): Value {
  if (value == null) throw new UnusableOptionError(pointer, 'is needed, or a digest');
  return value;
}

/**
 * Refuses sources that number no text, or that are none of the documents.
 *
 * @param field that would hold the text
 * @throws UnusableOptionError
 */
export function checkSources(
  sources: readonly string[] | undefined,
  text: unknown,
  field: string,
  documents: readonly string[] | undefined,
): void {
  if (sources === undefined) return;
  if (typeof text !== 'string') {
    throw new UnusableOptionError('/sources', `number the markers of a text: send "${field}" as one`);
  }
  const i = documents === undefined ? -1 : sources.findIndex((source) => !documents.includes(source));
  if (i >= 0) throw new UnusableOptionError(`/sources/${i}`, 'is not the id of one of the documents');
}
