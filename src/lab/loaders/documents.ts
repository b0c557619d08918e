import { z } from 'zod';
import { titleOf } from '../../text/index.ts';
import { documentText, id } from './fields.ts';
import type { Loaded } from './loaded.ts';

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A text of a file, with the id that the file gives it. */
export const documentFileSchema = z.object({ id, text: documentText });

/** Whether a text says nothing, so that no document can be made of it. */
export function isBlank({ text }: Pick<TextFile, 'text'>): boolean {
  return text.trim() === '';
}

/**
 * Ids for files: their paths below the deepest folder that all of them share, with `/` between the parts, so that the same
 * files have the same ids wherever they lie; the name alone where all are in one folder.
 *
 * @param paths whole paths, or all from one folder on, without `.` and `..`; of any platform
 */
export function idsOfFiles(paths: readonly string[]): string[] {
  const parted = paths.map((path) => path.split(/[\\/]+/));
  const folders = parted.map((parts) => parts.slice(0, -1));
  const [first = [], ...others] = folders;
  const differs = first.findIndex((part, depth) => others.some((other) => other[depth] !== part));
  const shared = differs === -1 ? first.length : differs;
  return parted.map((parts) => parts.slice(shared).join('/'));
}

/**
 * One collection of texts, with a case for each intent, or one without.
 *
 * @param files whose texts say something, with their ids
 * @param emptyDocuments files that were left out, as their texts say nothing
 */
export function loadDocuments(
  files: readonly (TextFile & { readonly id: string })[],
  intents: readonly string[],
  emptyDocuments: number,
): Loaded {
  const collection = 'documents';
  return {
    collection: {
      id: collection,
      documents: files.map(({ id, path, text }) => ({ id, title: titleOf(path, text), text })),
    },
    cases:
      intents.length === 0
        ? [{ id: collection, collection }]
        : intents.map((intent, index) => ({ id: `${collection}/${index + 1}`, collection, intent })),
    counts: { emptyDocuments },
  };
}
