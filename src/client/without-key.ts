/** A shorter key is found in any text, and no secret. */
const SHORTEST = 6;

/** A text with the key hidden, should somebody have repeated it. */
export function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined || key.length < SHORTEST) return text;
  return text.replaceAll(key, '[hidden]').replaceAll(JSON.stringify(key).slice(1, -1), '[hidden]');
}

/** What may be shown of an error of the runtime: its name and words, and the code beneath, such as ECONNREFUSED. */
export function safeCause(error: unknown, key: string | undefined): Error {
  const words: string[] = [];
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    words.push('code' in cause && typeof cause.code === 'string' ? cause.code : cause.message);
  }
  const safe = new Error(withoutKey(words.join(': '), key));
  if (error instanceof Error) safe.name = error.name;
  return safe;
}
