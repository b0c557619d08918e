/** Characters of an id that a caller gives. */
const MAX_ID_CHARACTERS = 200;

/** With the `u` flag a well-formed pair is no surrogate. */
const UNFIT = /\p{Cc}|\p{Cs}/u;

/** What is wrong with the id of a subject or an event, or null: what storage could not give back, nobody could find again. */
export function problemOfId(id: unknown): string | null {
  if (typeof id !== 'string' || id === '') return 'must be a text that is not empty';
  if (id.length > MAX_ID_CHARACTERS) return `has more than ${MAX_ID_CHARACTERS} characters`;
  return UNFIT.test(id) ? 'holds a control character or half of a surrogate pair' : null;
}
