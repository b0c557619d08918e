/** Invisible or unsafe characters: control, zero-width, direction marks, soft hyphen, replacement noise. */
const INVISIBLE = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const JOINER =
  /(?<!\p{Extended_Pictographic}|\ufe0f|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}]|\p{M})[\u200c\u200d]|[\u200c\u200d](?!\p{Extended_Pictographic}|\p{L})/gu;
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

const QUOTE_MARKS = /(^|\n)[ \t]*(?:>[ \t]?)+/g;
const IMAGE_OR_LINK = /!?\[([^[\]\n]{0,300})\]\((?:[^()\s]|\([^()\s]{0,200}\)){0,1000}(?:\s"[^"\n]{0,200}")?\)/g;
const REFERENCE = /\[\^?\d{1,3}\]|\[(?:citation needed|note \d{1,3})\]/g;
const CODE = /`([^`\n]{1,300})`/g;
/** Placeholders for a star and an underline in code: noncharacters, which no text contains. */
const [STAR, UNDERLINE] = ['\ufdd0', '\ufdd1'];
const STRONG = /(\*\*|__|~~)(?=\S)([^\n*_~]{1,600}?\S?)\1/g;
const EMPHASIS = /(^|[\s("'“‘[{>—-])([*_])(?=[^\s*_])([^\n*_]{1,600}?)\2(?=$|[\s.,;:!?)"'”’\]}—-])/g;
const STRAY = /(?:^|\s)\*{1,3}(?=\S)|(?<=\S)(?<!\d\.)\*{1,3}(?=$|\s)/g;
const HTML = /<\/?(?:a|b|i|em|strong|p|br|span|u|sub|sup|div|code|mark|small)(?:\s[^<>]{0,300})?\/?>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(amp|lt|gt|quot|#39|apos|nbsp);/g;

/** Reactions of an audience. */
const STAGE = /\((?:applause|cheers?(?: and applause)?|laughter|booing|inaudible|crosstalk)\.?\)[.]?/giu;

/** The mark of a list item directly before its first word. */
const DASH_OF_LIST = /^\s*(?:[-–—•*]\s*)+(?=\p{L})/u;

/** Cleans a quote for display: removes markup, invisible characters and line breaks; collapses spaces. */
export function tidy(quote: string): string {
  return quote
    .replace(QUOTE_MARKS, '$1')
    .replace(IMAGE_OR_LINK, '$1')
    .replace(REFERENCE, '')
    .replace(CODE, (_, code: string) => code.replaceAll('*', STAR).replaceAll('_', UNDERLINE))
    .replace(STRONG, '$2')
    .replace(EMPHASIS, '$1$3')
    .replace(STRAY, ' ')
    .replaceAll(STAR, '*')
    .replaceAll(UNDERLINE, '_')
    .replace(HTML, ' ')
    .replace(STAGE, ' ')
    .replace(ENTITY, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(CONTROL, ' ')
    .replace(INVISIBLE, '')
    .replace(JOINER, '')
    .replace(/\s+/gu, ' ')
    .replace(DASH_OF_LIST, '')
    .replace(/ ([,.;!?])(?=$|[\s"”')\]])/g, '$1')
    .trim();
}

const LEAD_IN = /^(?:(?:yes|yeah|well|oh|okay|ok|sure|right|so|anyway|look)\s*,\s+)+(?=\p{L})/iu;

/** Removes an opening word that means nothing unless it answers a question. */
export function withoutLeadIn(text: string): string {
  const rest = text.replace(LEAD_IN, '');
  return rest === text ? text : rest.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/** Place and agency of a report: "ANKARA, Turkey (AP) - ", "(CNN) -- ", "Kathmandu, Nepal (CNN)Rescue". */
const AGENCY =
  /^(?:\p{Lu}[\p{L}.'’-]*(?:,?\s\p{Lu}[\p{L}.'’-]*){0,5},?\s{0,3})?\((?:\p{Lu}[\p{L}\d.&'’-]*)(?:\s\p{Lu}[\p{L}.&'’-]*){0,3}\)(?:\s{0,3}(?:-{1,2}|[–—])\s{0,3}|(?=\p{Lu}\p{Ll}))/u;
const PLACE =
  /^\p{Lu}{3,}(?:[\s-]\p{Lu}{2,}){0,3}(?:,\s\p{Lu}[\p{L}.]*(?:\s\p{Lu}[\p{L}.]*){0,2})?\s{1,3}(?:--|[–—])\s{1,3}(?=["“‘'(]?\p{Lu})/u;

export function datelineLength(text: string): number {
  const head = text.slice(0, 160);
  return (AGENCY.exec(head) ?? PLACE.exec(head))?.[0].length ?? 0;
}
