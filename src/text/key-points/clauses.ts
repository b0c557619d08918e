import { type Span, trimSpan } from '../documents/document.ts';
import { hasVerb, lengthInWords } from '../words.ts';

/** Words of a part at most, and at least. */
const [LONG, FEWEST] = [45, 8];
/** Maximum length of a key point in UTF-16 units. */
const LONGEST = 600;
const MAX_WORD_LENGTH = 16;

const SUBJECT =
  /^(?:it|he|she|they|we|you|i|this|these|those|there|the|a|an|our|their|his|her|its|my|your|no|all|many|most|some|such|each|every|one)\b/u;
const RELATIVE = String.raw`(?!(?:who|whom|which|that|whose|where|to|for|by|as|of|in|with|at|on|from|have|has|had|is|are|was|were|be|been|will|shall|not|if|when|because|including)\b)`;
/** Possible clause boundaries: a semicolon, a dash, or a conjunction with a subject. */
const JOINT = new RegExp(
  String.raw`;\s*(?:and\s+|but\s+|or\s+)?${RELATIVE}|\s--\s${RELATIVE}|,\s+(?:and|but|so|while|whereas)\s+|[，、；،؛]|:\s+`,
  'giu',
);

function isJoint([joint]: RegExpMatchArray, after: string): boolean {
  const isCapital = /^\p{Lu}/u.test(after);
  if (joint.startsWith(':')) return isCapital;
  return !joint.startsWith(',') || isCapital || SUBJECT.test(after);
}

/** Splits a sentence that is too long for one key point. In English each part must have a verb, else it joins the previous part. */
export function clauses(text: string, sentence: Span, english: boolean): Span[] {
  const slice = text.slice(sentence.start, sentence.end);
  if (slice.length <= LONGEST && lengthInWords(slice) <= LONG) return [sentence];
  const parts: { start: number; end: number }[] = [];
  let start = sentence.start;
  const readsAlone = (from: number, to: number) => {
    const part = text.slice(from, to);
    return lengthInWords(part) >= FEWEST && (!english || hasVerb(part));
  };
  const joints = [...slice.matchAll(JOINT)].filter((match) => {
    const behind = match.index + match[0].length;
    return isJoint(match, slice.slice(behind, behind + MAX_WORD_LENGTH));
  });
  for (const match of [...joints, undefined]) {
    const end = match ? sentence.start + match.index : sentence.end;
    const last = parts.at(-1);
    // A part that does not read alone extends to the next boundary; the last one joins the previous part.
    if (readsAlone(start, Math.min(end, start + 2 * LONGEST))) parts.push({ start, end });
    else if (!match && last) last.end = end;
    else if (!match) parts.push({ start, end });
    else continue;
    start = match ? end + match[0].length : end;
  }
  return parts.flatMap((part) => cut(text, part));
}

/** Cuts at white space, else between code points. Text without punctuation, several times too long, is cut finer. */
function cut(text: string, span: Span): Span[] {
  const size = span.end - span.start > 3 * LONGEST ? LONGEST / 2 : LONGEST;
  const parts: Span[] = [];
  let start = span.start;
  while (start < span.end) {
    let end = Math.min(span.end, start + size);
    if (end < span.end) {
      const floor = start + size / 2;
      while (end > floor && !/\s/u.test(text.charAt(end))) end--;
      if (end <= floor) end = start + size - (/[\ud800-\udbff]/.test(text.charAt(start + size - 1)) ? 1 : 0);
    }
    const part = trimSpan(text, start, end);
    if (part) parts.push(part);
    start = end;
  }
  return parts;
}
