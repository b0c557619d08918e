import type { DigestInput, ReportInput, SourceDocument } from '../../client/index.ts';
import { findLoneSurrogate } from '../../text/index.ts';
import type { DigestOptions } from '../parts/options.ts';

/** Dates as `2026-01-31`; everything empty by default. */
export interface Reader {
  readonly userStory: string;
  readonly background: string;
  readonly after: string;
  readonly before: string;
}

export const NO_READER: Reader = { userStory: '', background: '', after: '', before: '' };

export interface Draft {
  readonly documents: readonly SourceDocument[];
  readonly intent: string;
  readonly options: DigestOptions;
  readonly reader: Reader;
}

export function requestOf({ documents, intent, options, reader }: Draft): DigestInput {
  const asked = intentOf({ intent, reader });
  return { documents, ...(asked !== null && { intent: asked }), ...options };
}

export function intentOf({ intent, reader }: Pick<Draft, 'intent' | 'reader'>): string | ReportInput | null {
  const problem = intent.trim();
  const [userStory, background] = [reader.userStory.trim(), reader.background.trim()];
  const { after, before } = reader;
  if (userStory === '' && background === '' && after === '' && before === '') return problem === '' ? null : problem;
  const isDigest = /^dig_[0-9a-f]{32}$/.test(background);
  return {
    problem,
    ...(userStory !== '' && { userStory }),
    ...(background !== '' && { background: isDigest ? { digest: background } : background }),
    ...(after !== '' && { publishedAfter: after }),
    ...(before !== '' && { publishedBefore: before }),
  };
}

export type Place =
  | { readonly kind: 'documents' | 'intent' | 'reader' | 'options' | 'other' }
  | { readonly kind: 'document'; readonly index: number };

export interface Trouble {
  readonly place: Place;
  readonly message: string;
}

export function placeOf(pointer: string): Place {
  const [first, second, ...rest] = pointer.replace(/^\//, '').split('/');
  switch (first) {
    case 'documents':
      return second !== undefined && /^\d+$/.test(second)
        ? { kind: 'document', index: Number(second) }
        : { kind: 'documents' };
    case 'intent':
      return { kind: second === undefined || (second === 'problem' && rest.length === 0) ? 'intent' : 'reader' };
    case 'selection':
    case 'summary':
    case 'engine':
      return { kind: 'options' };
    default:
      return { kind: 'other' };
  }
}

const MAX = { documents: 2000, text: 2_000_000, title: 1000, intent: 10_000, background: 100_000 };

/** Errors that the service would report, as far as they can be found before sending. */
export function troublesOf({ documents, intent, reader }: Draft): Trouble[] {
  const troubles: Trouble[] = [];
  const add = (place: Place, message: string | null): void => {
    if (message !== null) troubles.push({ place, message });
  };
  if (documents.length === 0) add({ kind: 'documents' }, 'Add at least one document.');
  if (documents.length > MAX.documents) {
    add({ kind: 'documents' }, `There are ${documents.length} documents; a digest takes at most ${MAX.documents}.`);
  }
  documents.forEach((document, index) => {
    const known = troubleOf.get(document);
    const message = known === undefined ? troubleOfDocument(document) : known;
    troubleOf.set(document, message);
    add({ kind: 'document', index }, message);
  });
  add({ kind: 'intent' }, troubleOfText('The question', intent, MAX.intent));
  add({ kind: 'reader' }, troubleOfText('What you say of yourself', reader.userStory, MAX.intent));
  add({ kind: 'reader' }, troubleOfText('What is known already', reader.background, MAX.background));
  if (intent.trim() === '' && intentOf({ intent, reader }) !== null) {
    add({ kind: 'intent' }, 'Enter a question, or clear the fields under “About you”.');
  }
  if (reader.after !== '' && reader.before !== '' && reader.after > reader.before) {
    add({ kind: 'reader' }, 'The first date is later than the last.');
  }
  return troubles;
}

/** Texts are long, and a draft is checked on every key press. */
const troubleOf = new WeakMap<SourceDocument, string | null>();

export function troubleOfDocument({ text, title = '' }: Pick<SourceDocument, 'text' | 'title'>): string | null {
  if (text.trim() === '') return 'This document is empty.';
  return troubleOfText('The title', title, MAX.title) ?? troubleOfText('The text', text, MAX.text);
}

function troubleOfText(name: string, text: string, most: number): string | null {
  if (text.length > most) {
    return `${name} has ${text.length.toLocaleString('en')} characters; the limit is ${most.toLocaleString('en')}.`;
  }
  const at = findLoneSurrogate(text);
  if (at === undefined) return null;
  const before = text.slice(Math.max(0, at - 20), at).trim();
  const where = before === '' ? 'at its beginning' : `after “${before}”`;
  return `${name} contains half of a character ${where}, which cannot be stored. Delete it there.`;
}

export function tooLargeWords(detail: string | undefined, characters: number): string {
  const most = detail === undefined ? undefined : /(\d{4,}) bytes/.exec(detail)?.[1];
  const takes = most === undefined ? '' : `This service takes at most ${megabytes(Number(most))} at once; `;
  const has = `there are about ${megabytes(characters)} of text.`;
  const sentence = `${takes}${has}`;
  return `${sentence[0].toUpperCase()}${sentence.slice(1)} Remove some, or make several digests.`;
}

function megabytes(bytes: number): string {
  const millions = bytes / 1_000_000;
  return `${millions < 10 ? Math.max(0.1, Math.round(millions * 10) / 10) : Math.round(millions)} MB`;
}
