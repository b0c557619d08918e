import { APIError } from 'openai';

/** Longest words of a server that are kept. */
const LONGEST = 300;
/** So many characters in a row that are also in the request make them a repetition of it. */
const REPEATED = 24;

/**
 * The error that a log may show in place of one of the SDK or the runtime: which it was, HTTP status and request id, and
 * the server's words where they repeat neither the key nor what was sent. Servers do: a validation error often quotes the
 * whole request, and a syntax error the answer.
 */
export function safeCause(error: unknown, key: string, sent: readonly string[]): Error {
  const isNamed = error instanceof Error;
  // The SDK's classes have no names of their own but their constructor's.
  const name = isNamed ? (error instanceof APIError ? error.constructor.name : error.name) : 'Error';
  const words = isNamed && !(error instanceof SyntaxError) ? wordsOf(error) : '';
  const cause = new Error(isOwn(words, key, sent) ? words.slice(0, LONGEST) : 'not shown, for it repeats the request');
  cause.name = name;
  if (!(error instanceof APIError)) return cause;
  const facts = { status: error.status, code: error.code, type: error.type, requestId: error.requestID };
  return Object.assign(
    cause,
    Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact && isOwn(String(fact), key, sent))),
  );
}

/** The words of an error and of its causes, as fetch tells of a broken connection: "fetch failed: ECONNREFUSED". */
function wordsOf(error: Error): string {
  const words = [error.message];
  for (let cause = error.cause, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    words.push('code' in cause && typeof cause.code === 'string' ? cause.code : cause.message);
  }
  return words.join(': ');
}

function isOwn(words: string, key: string, sent: readonly string[]): boolean {
  if (key !== '' && words.includes(key)) return false;
  const plain = words.slice(0, LONGEST).replace(/\s+/g, ' ');
  const texts = sent.map((text) => text.replace(/\s+/g, ' '));
  for (let start = 0; start + REPEATED <= plain.length; start++) {
    const piece = plain.slice(start, start + REPEATED);
    if (texts.some((text) => text.includes(piece))) return false;
  }
  return true;
}
