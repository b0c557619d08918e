import { APIError } from 'openai';

const LONGEST = 300;
/** A key by its form: servers may quote another key, or ours in another form. */
const KEY = /\bsk-[^\s"'<>,;]+|\bbearer\s+[^\s"'<>,;]+|(?<=:\/\/)[^\s/]+(?=@)|(?<=\bhttps?:\/\/[^\s?]*\?)[^\s"'<>]+/gi;
/** A possible key: a long run of base64, base64url or hexadecimal characters. */
const RUN = /[\w+/=-]{20,}/g;
/** A part of such a run that is no word, name or path. */
const PART_OF_KEY = /[a-z\d+=]{20,}|(?=[a-z+=]*\d)(?=[\d+=]*[a-z])[a-z\d+=]{8,}/i;
const HIDDEN = '\u2588';
/** Min number of consecutive characters shared with the request that count as quoting it. */
const REPEATED = 24;

/** An error that is safe to log: without keys and quotes of the request, which validation errors often repeat. */
export function safeCause(error: unknown, key: string, sent: readonly string[]): Error {
  const isNamed = error instanceof Error;
  // The SDK's classes have no names except their constructors'.
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

function withoutKeys(text: string): string {
  const hide = (found: string): string => HIDDEN.repeat(found.length);
  return text.replace(KEY, hide).replace(RUN, (run) => (PART_OF_KEY.test(run) ? hide(run) : run));
}

/** Messages of an error and its causes, since fetch reports broken connections as "fetch failed: ECONNREFUSED". */
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
