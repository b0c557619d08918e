import { type DigestInput, type ReportInput, type SourceDocument, TesseraClientError } from '../../client/index.ts';
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
  const sent = documents.map(({ text, ...rest }) =>
    text === '' && rest.url ? { ...rest, url: rest.url } : { ...rest, text },
  );
  return { documents: sent, ...(asked !== null && { intent: asked }), ...options };
}

function intentOf({ intent, reader }: Pick<Draft, 'intent' | 'reader'>): string | ReportInput | null {
  const [problem, userStory, background] = [intent, reader.userStory, reader.background].map((text) =>
    wellFormed(text).trim(),
  );
  const { after, before } = reader;
  if (userStory === '' && background === '' && after === '' && before === '') return problem === '' ? null : problem;
  return {
    problem,
    ...(userStory !== '' && { userStory }),
    ...(background !== '' && { background: earlierOf({ background }) ?? background }),
    ...(after !== '' && { publishedAfter: after }),
    ...(before !== '' && { publishedBefore: before }),
  };
}

/** The earlier digest that is named as what the reader knows; undefined if none is. */
export function earlierOf({ background }: Pick<Reader, 'background'>): { readonly digest: string } | undefined {
  const digest = background.trim();
  return /^dig_[0-9a-f]{32}$/.test(digest) ? { digest } : undefined;
}

/** The service's refusal, with the names of documents in place of their numbers. */
export function withNames(failure: unknown, documents: readonly SourceDocument[]): unknown {
  if (!(failure instanceof TesseraClientError) || failure.problem?.errors === undefined) return failure;
  const { status, requestId, problem, message } = failure;
  const errors = problem.errors?.map(({ pointer, detail }) => {
    const [, index, rest] = /^\/documents\/(\d+)(.*)$/.exec(pointer) ?? [];
    const document = documents[Number(index ?? -1)];
    return { pointer: document === undefined ? pointer : `“${nameOf(document)}”${rest}`, detail };
  });
  return new TesseraClientError(message, { status, requestId, problem: { ...problem, ...(errors && { errors }) } });
}

export function nameOf({ title, text, url, id }: SourceDocument): string {
  return title?.trim() || (text === '' && url) || id;
}

/** Removes lone surrogates, which cannot be sent. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}
