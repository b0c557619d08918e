/** Words that only take the turn, with the comma after them. */
const LEAD_IN = /^(?:(?:yes|yeah|well|oh|okay|ok|sure|right|so|anyway|look)\s*,\s+)+(?=\p{L})/iu;

/** A written sentence without the word that only answers or begins: where no question stands above, it says nothing. */
export function withoutLeadIn(text: string): string {
  const rest = text.replace(LEAD_IN, '');
  return rest === text ? text : rest.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/** "ANKARA, Turkey (AP) - ", "(CNN) -- ", "Kathmandu, Nepal (CNN)Rescue": where a report was sent from, and by whom. */
const AGENCY =
  /^(?:\p{Lu}[\p{L}.'’-]*(?:,?\s\p{Lu}[\p{L}.'’-]*){0,5},?\s{0,3})?\((?:\p{Lu}[\p{L}\d.&'’-]*)(?:\s\p{Lu}[\p{L}.&'’-]*){0,3}\)(?:\s{0,3}(?:-{1,2}|[–—])\s{0,3}|(?=\p{Lu}\p{Ll}))/u;
/** "ANKARA, Turkey — ". */
const PLACE =
  /^\p{Lu}{3,}(?:[\s-]\p{Lu}{2,}){0,3}(?:,\s\p{Lu}[\p{L}.]*(?:\s\p{Lu}[\p{L}.]*){0,2})?\s{1,3}(?:--|[–—])\s{1,3}(?=["“‘'(]?\p{Lu})/u;

/** Length of the dateline that a report opens with; 0 where there is none. */
export function datelineLength(text: string): number {
  const head = text.slice(0, 160);
  return (AGENCY.exec(head) ?? PLACE.exec(head))?.[0].length ?? 0;
}
