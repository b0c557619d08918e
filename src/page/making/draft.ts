import type { DigestInput, ReportInput, SourceDocument } from '../../client/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import type { Place } from './places.ts';
import { halfCharacterIn } from './well-formed.ts';

/** What may be said of the reader beside the question; dates as `2026-01-31`, empty where nothing is said. */
export interface Reader {
  readonly userStory: string;
  readonly background: string;
  readonly after: string;
  readonly before: string;
}

export const NO_READER: Reader = { userStory: '', background: '', after: '', before: '' };

/** What a digest is put together from. */
export interface Draft {
  readonly documents: readonly SourceDocument[];
  readonly intent: string;
  readonly options: DigestOptions;
  readonly reader: Reader;
}

/** What is wrong, where. */
export interface Trouble {
  readonly place: Place;
  readonly message: string;
}

/** As the service takes them. */
const MAX = { documents: 2000, text: 2_000_000, title: 1000, intent: 10_000, background: 100_000 };

/** The request of a draft. Nothing that is empty is sent. */
export function requestOf({ documents, intent, options, reader }: Draft): DigestInput {
  const asked = intentOf({ intent, reader });
  return { documents, ...(asked !== null && { intent: asked }), ...options };
}

/** The intent of a draft as it is sent; null where nothing is asked. */
export function intentOf({ intent, reader }: Pick<Draft, 'intent' | 'reader'>): string | ReportInput | null {
  const problem = intent.trim();
  const [userStory, background] = [reader.userStory.trim(), reader.background.trim()];
  const { after, before } = reader;
  if (userStory === '' && background === '' && after === '' && before === '') return problem === '' ? null : problem;
  return {
    problem,
    ...(userStory !== '' && { userStory }),
    ...(background !== '' && { background: isDigestId(background) ? { digest: background } : background }),
    ...(after !== '' && { publishedAfter: after }),
    ...(before !== '' && { publishedBefore: before }),
  };
}

/** Whether a background names an earlier digest. */
function isDigestId(text: string): boolean {
  return /^dig_[0-9a-f]{32}$/.test(text.trim());
}

/** What would be refused, as far as that can be known before it is sent. */
export function troublesOf({ documents, intent, reader }: Draft): Trouble[] {
  const troubles: Trouble[] = [];
  const notify = (place: Place, message: string | null): void => {
    if (message !== null) troubles.push({ place, message });
  };
  if (documents.length === 0) notify({ kind: 'documents' }, 'Add at least one document.');
  if (documents.length > MAX.documents) {
    notify({ kind: 'documents' }, `There are ${documents.length} documents; a digest takes at most ${MAX.documents}.`);
  }
  documents.forEach((document, index) => {
    if (!troubleOf.has(document)) troubleOf.set(document, troubleOfDocument(document));
    notify({ kind: 'document', index }, troubleOf.get(document) ?? null);
  });
  notify({ kind: 'intent' }, troubleOfText('The question', intent, MAX.intent));
  notify({ kind: 'reader' }, troubleOfText('What you say of yourself', reader.userStory, MAX.intent));
  notify({ kind: 'reader' }, troubleOfText('What is known already', reader.background, MAX.background));
  if (intent.trim() === '' && intentOf({ intent, reader }) !== null) {
    notify({ kind: 'intent' }, 'Enter a question, or clear the fields under “About you”.');
  }
  if (reader.after !== '' && reader.before !== '' && reader.after > reader.before) {
    notify({ kind: 'reader' }, 'The first date is later than the last.');
  }
  return troubles;
}

/** Texts are long, and a draft is looked at with every key that is pressed. */
const troubleOf = new WeakMap<SourceDocument, string | null>();

/** What is wrong with a document; null where nothing is. */
export function troubleOfDocument({ text, title = '' }: Pick<SourceDocument, 'text' | 'title'>): string | null {
  if (text.trim() === '') return 'This document is empty.';
  return troubleOfText('The title', title, MAX.title) ?? troubleOfText('The text', text, MAX.text);
}

function troubleOfText(name: string, text: string, most: number): string | null {
  if (text.length > most) {
    return `${name} has ${text.length.toLocaleString('en')} characters; the limit is ${most.toLocaleString('en')}.`;
  }
  const at = halfCharacterIn(text);
  if (at === null) return null;
  const before = text.slice(Math.max(0, at - 20), at).trim();
  const where = before === '' ? 'at its beginning' : `after “${before}”`;
  return `${name} contains half of a character ${where}, which cannot be stored. Delete it there.`;
}
