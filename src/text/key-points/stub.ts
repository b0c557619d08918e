import { countContent } from './english.ts';
import { countWords } from './words.ts';

/** "But he added: \"" */
const OPEN = /[:：,，]\s*["“„«'‘]?$/u;
const LONGEST_OPEN = 14;
const SAYS = /\b(?:said|says|added|adds|told|tells|replied|wrote|writes|explained|continued|asked)\b/iu;
const LONGEST = 6;

/** Whether a text only says that somebody speaks, or breaks off where the matter would begin. */
export function isStub(text: string, english: boolean): boolean {
  const words = countWords(text);
  if (OPEN.test(text)) return words <= LONGEST_OPEN;
  return (
    english && words <= LONGEST && SAYS.test(text) && countContent(text.replace(SAYS, ' ')) <= 1 && !/\p{N}/u.test(text)
  );
}
