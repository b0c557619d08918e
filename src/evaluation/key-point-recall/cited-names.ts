import { CLOSING, OPENING } from '../../text/index.ts';

const BRACKET = new RegExp(
  `[${OPENING}]([^${OPENING}${CLOSING}]{1,80})[${CLOSING}](?=\\s*(?:[${OPENING}(]|[\\p{Sentence_Terminal}.,;:)]|$))`,
  'gmu',
);
const WORDY = /[\p{L}\p{N}]/u;
/** What editors put in brackets. */
const REMARK =
  /^(?:sic|…|\.{2,}|emphasis.*|citation needed|note.*|translated.*|applause|laughter|inaudible.*|crosstalk)$/iu;

/**
 * What brackets before the end of a clause name, where nobody says what the documents are called: "fell [d1]." and
 * "fell [Smith 2020; Jones, p. 4]." The parts between commas and semicolons, as markers are read.
 */
export function citedNames(text: string): Set<string> {
  const names = [...text.matchAll(BRACKET)].flatMap(([, inside]) => {
    const parts = inside.split(/[,;]/).map((part) => part.trim());
    return REMARK.test(inside.trim()) ? [] : parts.filter((part) => WORDY.test(part));
  });
  return new Set(names);
}
