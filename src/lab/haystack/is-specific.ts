import { nameWords, numbersIn } from '../../summary/index.ts';
import { sentences } from '../../text/index.ts';

const DAY_OR_MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|april|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\b(?:March|May)\b/iu;
/** A verb, not a month. */
const SMALL_MONTH = /^(?:march|may)$/u;
/** Longer ones are passages. */
const LONGEST = 500;

/**
 * Whether an insight is one sentence that holds a number, a date or an entity (Laban et al. 2024, section 3.2): what a text
 * can be seen to tell or not. "One" and "first" alone are no numbers, and a capital that opens a sentence makes no name.
 */
export function isSpecific(insight: string): boolean {
  if (insight.length > LONGEST || sentences(insight).length !== 1) return false;
  return hasNumber(insight) || hasDate(insight) || hasName(insight);
}

function hasNumber(text: string): boolean {
  return numbersIn(text).some(({ weak }) => !weak);
}

function hasDate(text: string): boolean {
  const [found] = DAY_OR_MONTH.exec(text) ?? [];
  return found !== undefined && !SMALL_MONTH.test(found);
}

function hasName(text: string): boolean {
  return nameWords(text).some(({ kind, opens }) => kind !== 'plain' && (!opens || kind !== 'capital'));
}
