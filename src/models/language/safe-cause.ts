import { APIError } from 'openai';

/** Longest words of a server that are kept. */
const LONGEST = 300;
/** What looks like a key: the server may tell one that is not ours, or ours in another form. */
const KEY = /\bsk-[^\s"'<>,;]+|\bbearer\s+[^\s"'<>,;]+|(?<=:\/\/)[^\s/]+(?=@)|(?<=\bhttps?:\/\/[^\s?]*\?)[^\s"'<>]+/gi;
/** What may be one: a long run of the characters of base64, base64url and hexadecimal numbers. */
const RUN = /[\w+/=-]{20,}/g;
/** A part of such a run that is no word, name or path. */
const PART_OF_KEY = /[a-z\d+=]{20,}|(?=[a-z+=]*\d)(?=[\d+=]*[a-z])[a-z\d+=]{8,}/i;
/** Stands for every character of a key, so that what follows keeps its place. */
const HIDDEN = '\u2588';
/** So many characters in a row that are also in the request make them a repetition of it. */
const REPEATED = 24;

/**
 * The error that a log may show in place of one of the SDK or the runtime: which it was, HTTP status and request id, and
 * the server's words, with what looks like a key hidden, where they repeat neither the key nor what was sent. Servers do:
 * a validation error often quotes the whole request, and a syntax error the answer.
 */
export function safeCause(error: unknown, key: string, sent: readonly string[]): Error {
  const isNamed = error instanceof Error;
  // The SDK's classes have no names of their own but their constructor's.
  const name = isNamed ? (error instanceof APIError ? error.constructor.name : error.name) : 'Error';
  const words = isNamed && !(error instanceof SyntaxError) ? wordsOf(error) : '';
  const shown = withoutKeys(words)
    .slice(0, LONGEST)
    .replace(/\u2588+/g, '[hidden]');
  const cause = new Error(isOwn(words, key, sent) ? shown : 'not shown, for it repeats the request');
  cause.name = name;
  if (!(error instanceof APIError)) return cause;
  const { status, code, type, requestID: requestId } = error;
  const facts = Object.entries({ status, code, type, requestId }).filter(
    ([name, fact]) =>
      fact && isOwn(String(fact), key, sent) && (name === 'requestId' || withoutKeys(String(fact)) === String(fact)),
  );
  return Object.assign(cause, Object.fromEntries(facts));
}

/** A text with what looks like a key hidden, as long as before. */
function withoutKeys(text: string): string {
  const hide = (found: string): string => HIDDEN.repeat(found.length);
  return text.replace(KEY, hide).replace(RUN, (run) => (PART_OF_KEY.test(run) ? hide(run) : run));
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
