/** Punctuation behind which a sentence goes on, in any script. */
const GOES_ON = /[,;:\p{Pd}\p{Ps}،؛՝፣፤፥፦、，；：､]$/u;
/** Scripts that end sentences without punctuation. */
const UNMARKED = /[\p{Script=Thai}\p{Script=Lao}]$/u;

/**
 * Whether a text ends as a sentence does: with a full stop or another mark, a closing quote or bracket behind it. What a model
 * wrote until its tokens were spent breaks off within one.
 */
export function isFinished(text: string): boolean {
  const end = text.trimEnd();
  return UNMARKED.test(end) || (/\p{P}$/u.test(end) && !GOES_ON.test(end));
}
