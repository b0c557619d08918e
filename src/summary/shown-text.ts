import { tidy } from '../text/key-points/tidy.ts';
import { plainText } from './plain-text.ts';

const LIST_MARK = /^(?:(?:[-*+•‣▪◦–—]|#{1,6}|>+|\(?(?:\d{1,2}|[a-z])\))\s+)+/u;
/** "1. ", which before a month or a name in German is an ordinal. */
const NUMBER_OF_LIST = /^\d{1,2}\.\s+(?=(?:The|A|An|If|When|You|Your|We|All|Each|In|To|Do|Please)\s)/u;
/** "3.2 In all", "16.3.1 Our": the number of a clause. */
const NUMBER_OF_CLAUSE = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?=\p{Lu}\p{Ll}*\s)/u;
/** "(CNN) -- ", "LONDON (Reuters) - ", "PARIS, March 3 (AP) —": where a report was sent from, which is no part of what it says. */
const DATELINE =
  /^(?:(?:\p{Lu}[\p{Lu}.'’-]+,? ){1,4}(?:\p{Lu}\p{Ll}+\.? \d{1,2}(?:, \d{4})? )?)?\((?:CNN|AP|AFP|UPI|BBC|dpa|Reuters|Bloomberg|Xinhua)[^()]{0,20}\)\s*(?:[-–—]{1,3}\s*)?(?=\S)/u;
/** Marks that open a quotation with those that end it. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['“', '”'],
  ['«', '»'],
  ['"', '"'],
];

/** A foreign text as a reader should see it: one line without markup, list marks, dateline and quotation marks that lack the other. */
export function shownText(text: string): string {
  const plain = plainText(tidy(plainText(text)))
    .replace(LIST_MARK, '')
    .replace(NUMBER_OF_LIST, '')
    .replace(NUMBER_OF_CLAUSE, '')
    .replace(DATELINE, '');
  return withoutLoneMarks(plain);
}

function withoutLoneMarks(text: string): string {
  return PAIRS.reduce((shown, [open, close]) => {
    const [opened, closed] = [count(shown, open), count(shown, close)];
    const isLone = open === close ? opened % 2 === 1 : opened !== closed;
    if (!isLone) return shown;
    if (opened >= closed && shown.startsWith(open)) return shown.slice(open.length).trimStart();
    return closed >= opened && shown.endsWith(close) ? shown.slice(0, -close.length).trimEnd() : shown;
  }, text);
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
