import { z } from 'zod';
import { titleOf } from '../../documents/title-of.ts';
import { documentText, id } from './fields.ts';
import type { Loaded } from './loaded.ts';

/** A text and the path that it was read from, which becomes its id. */
export const documentFileSchema = z.object({ path: id, text: documentText });

/** One collection of texts, with a case for each intent, or one without. */
export function loadDocuments(
  files: readonly { readonly path: string; readonly text: string }[],
  intents: readonly string[],
): Loaded {
  const collection = 'documents';
  return {
    collection: {
      id: collection,
      documents: files.map(({ path, text }) => ({ id: path, title: titleOf(path, text), text })),
    },
    cases:
      intents.length === 0
        ? [{ id: collection, collection }]
        : intents.map((intent, index) => ({ id: `${collection}/${index + 1}`, collection, intent })),
    counts: {},
  };
}
