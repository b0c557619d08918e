import type { Context } from 'hono';
import pLimit from 'p-limit';
import { type DigestSource, documentSchema, isBlank } from '../../contract/index.ts';
import { LimitExceededError, type RequestDocument, UnusableOptionError } from '../../digest/index.ts';
import { parseUrl, type SourceDocument, TesseraError, UnreadableFileError } from '../../text/index.ts';
import { CallerGoneError } from '../errors.ts';
import type { ServiceEnv } from '../service-deps.ts';
import { type AllowedTargets, targetProblem } from '../targets.ts';

type ReadDocument = Omit<SourceDocument, 'id'>;

/** Gets one address without following redirects; the signal also ends the body. */
export type FetchAddress = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: AsyncIterable<Uint8Array>;
}>;

/** Reads files one after the other, by name, content and the encoding that the sender names. */
interface DocumentReader {
  /** @throws UnreadableFileError */
  read(file: { name: string; bytes: Uint8Array; charset: string | undefined }): Promise<{ document: ReadDocument }>;
  end(): unknown;
}

export interface Fetching {
  /** Whose documents are fetched: of callers with a key, of all, or of none. */
  readonly callers: 'keys' | 'on' | 'off';
  readonly allow: AllowedTargets;
  readonly fetchAddress: FetchAddress;
  readonly openReader: () => DocumentReader;
  /** For one address with its redirects; ten seconds by default. */
  readonly milliseconds?: number;
}

const MAX = { addresses: 50, concurrent: 6, redirects: 5, bytes: 5_000_000, milliseconds: 10_000 };
const HEADERS = {
  accept: 'text/html,text/plain,application/pdf,*/*;q=0.5',
  'accept-encoding': 'identity',
  'user-agent': 'Tessera',
};
const OFF =
  'This service does not fetch addresses: send the text. On Node it does for callers with a key, or with TESSERA_FETCH=on.';

/** Fetches the documents that are addresses. One that cannot be read has no text, and the reason. */
export async function fetchDocuments(
  documents: readonly DigestSource[],
  fetching: Fetching | undefined,
  context: Context<ServiceEnv>,
  at?: string,
): Promise<RequestDocument[]> {
  const pointerOf = (index: number) => `${at ?? `/documents/${index}`}/url`;
  const asked = documents.flatMap(({ isAddress }, index) => (isAddress ? [index] : []));
  if (asked.length === 0) return [...documents];
  const isOpen = fetching?.callers === 'on' || (fetching?.callers === 'keys' && context.var.caller.key !== null);
  if (!isOpen) throw new UnusableOptionError(pointerOf(asked[0]), OFF);
  if (asked.length > MAX.addresses) {
    throw new LimitExceededError('/documents', `hold ${asked.length} addresses; at most ${MAX.addresses} are fetched`);
  }
  const { signal } = context.req.raw;
  const [fetches, reader] = [pLimit(MAX.concurrent), fetching.openReader()];
  const reads = pLimit(1);
  const read: DocumentReader['read'] = (file) => reads(() => reader.read(file));
  const fetchOne = async ({ isAddress, ...document }: DigestSource): Promise<RequestDocument> => {
    if (isAddress === undefined) return document;
    try {
      const found = await fetchDocument(document.url ?? '', fetching, read, signal);
      return { ...found, ...document, text: found.text };
    } catch (failure) {
      if (signal.aborted) throw new CallerGoneError('The caller is gone.');
      if (!(failure instanceof UnreadableFileError)) throw failure;
      return { ...document, unread: { code: 'not-fetched', message: failure.message } };
    }
  };
  const fetched = await fetches.map(documents, fetchOne).finally(() => reader.end());
  const index = fetched.findIndex(({ unread }) => unread !== undefined);
  if (fetched.length > 0 && fetched.every(({ text }) => isBlank(text))) {
    const why = fetched[index]?.unread?.message ?? 'No document holds a letter or digit.';
    throw new UnusableOptionError(index < 0 ? '/documents' : pointerOf(index), `There is nothing to read. ${why}`);
  }
  return fetched;
}

/**
 * The document at a public or allowed address, after at most five redirects.
 * @throws UnreadableFileError with a sentence for whoever named the address
 */
export async function fetchDocument(
  url: string,
  network: Network,
  read: DocumentReader['read'],
  signal?: AbortSignal,
): Promise<ReadDocument> {
  const timeout = AbortSignal.timeout(network.milliseconds ?? MAX.milliseconds);
  const done = new AbortController();
  const ending = AbortSignal.any([timeout, done.signal, ...(signal ? [signal] : [])]);
  try {
    const file = await fetchFile(url, network, ending);
    const { document } = await read(file);
    const { error } = documentSchema.safeParse({ id: 'd', ...document });
    if (error === undefined) return document;
    const [{ path, message }] = error.issues;
    throw new UnreadableFileError(`Its ${String(path[0])} cannot be taken: ${message}.`);
  } catch (cause) {
    if (cause instanceof UnreadableFileError) throw cause;
    if (timeout.aborted) throw new UnreadableFileError('It was not answered in time.', { cause });
    if (cause instanceof TesseraError) throw new UnreadableFileError(cause.message, { cause });
    throw new UnreadableFileError('It could not be reached.', { cause });
  } finally {
    done.abort();
  }
}

type Network = Pick<Fetching, 'allow' | 'fetchAddress' | 'milliseconds'>;

async function fetchFile(url: string, { allow, fetchAddress }: Network, signal: AbortSignal) {
  let at = withoutFragment(url);
  for (let redirects = 0; redirects <= MAX.redirects; redirects++) {
    const problem = targetProblem(at, allow);
    if (problem !== null)
      throw new UnreadableFileError(`${redirects > 0 ? 'It redirects to an address that' : 'The address'} ${problem}.`);
    const { status, headers, body } = await fetchAddress(at, HEADERS, signal);
    const location = headers.get('location') || null;
    if (location !== null && [301, 302, 303, 307, 308].includes(status)) {
      at = withoutFragment(parseUrl(location, at)?.href ?? location);
      continue;
    }
    if (status !== 200) throw new UnreadableFileError(`It was answered with status ${status}.`);
    const type = headers.get('content-type')?.toLowerCase() ?? '';
    const charset = /;\s*charset\s*=\s*"?([^\s";]+)/.exec(type)?.[1];
    const bytes = await bytesOf(body);
    // A body without a length ends like a whole one when the signal closes it.
    signal.throwIfAborted();
    return { name: nameOf(type.split(';')[0].trim(), at), bytes, charset };
  }
  throw new UnreadableFileError('It redirects more than five times.');
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}

const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'message/rfc822': '.eml',
};

/** A name that tells the reader the kind, of which the first bytes say more. */
function nameOf(type: string, url: string): string {
  const ending = Object.hasOwn(ENDINGS, type) ? ENDINGS[type] : undefined;
  if (ending !== undefined) return `page${ending}`;
  if (/^$|^application\/(?:pdf|octet-stream|vnd\.openxmlformats-.*)$/.test(type))
    return new URL(url).pathname.replace(/^.*\//, '');
  if (/^text\/|[/+](?:json|xml)$/.test(type)) return 'page.txt';
  throw new UnreadableFileError(`It is of the type ${type.slice(0, 100)}, which is not read.`);
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX.bytes) throw new UnreadableFileError('It has more than 5 MB.');
    chunks.push(new Uint8Array(chunk));
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
