/** White space: what `\s` takes but for the byte order mark, and a line break that it lacks. */
const SPACE = /^(?!\ufeff)[\s\u0085]$/u;
/** Not seen by a reader: what `withoutUnseen` takes out of prompts, joiners and variation selectors with it. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const QUOTATION_MARK =
  /^["'\u00ab\u00b4\u00bb\u02b9-\u02bd\u05f3\u05f4\u2018-\u201f\u2032-\u2037\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02\uff07\uff62\uff63]$/u;
const DASH = /^[\p{Pd}\u2212]$/u;
/** White space, or a base with its marks, a flag, or a sequence of joined emoji; never longer than a bound, so that time stays linear. */
const CLUSTER =
  /\s|(?:\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]{0,4}(?:\u200d\p{Extended_Pictographic}[\p{M}\p{Emoji_Modifier}]{0,4}){0,10}|[\s\S])[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb]{0,30}/uy;

/** The character at an index as a reader sees it, marks and joined emoji included. */
export function clusterAt(text: string, index: number): string {
  CLUSTER.lastIndex = index;
  return CLUSTER.exec(text)?.[0] ?? text.charAt(index);
}

/**
 * What a character (a cluster) is compared by: `' '` for white space, `'-'` for dashes, `"'"` for quotation marks and
 * apostrophes, `''` for what is not seen, else its letters in one form (NFKC) and case.
 */
export function foldCharacter(cluster: string): string {
  if (SPACE.test(cluster)) return ' ';
  const seen = cluster.replace(UNSEEN, '');
  if (seen === '') return '';
  if (QUOTATION_MARK.test(seen)) return "'";
  if (DASH.test(seen)) return '-';
  if (seen === '\u22ef') return '...';
  const folded = seen.normalize('NFKC').toLowerCase();
  return folded.replaceAll('ς', 'σ').replaceAll('ß', 'ss').replaceAll('\u2044', '/');
}
