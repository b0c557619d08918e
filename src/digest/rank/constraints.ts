import type { Format } from '../../contract/index.ts';
import { sentences } from '../../text/index.ts';
import type { DateWindow } from '../extract/read-documents.ts';
import type { PlannedRequest } from '../request.ts';

interface Constraints {
  readonly asked: string;
  readonly constraints: readonly string[];
}

interface KeptConstraints extends DateWindow {
  readonly maxWords?: number;
  readonly format?: Format;
}

const DATE = String.raw`\d{4}-\d{2}-\d{2}`;
const GLUE = new Set(
  `a an the your my our this all any each it them they i we me us please should must shall need needs want would like prefer to be is are
  has have keep make write give use using in as of with no not more less fewer than at most up within under below maximum max limit limited
  only and or for total about report reports summary summaries answer answers digest digests text response responses documents sources
  published dated after since before until from one two three four five six seven eight nine ten`.split(/\s+/),
);
const FORM = new Set(
  `short brief terse concise succinct compact long longer word words sentence sentences bullet bullets bulleted list points lines
  paragraph paragraphs length style tone formal neutral plain simple language english`.split(/\s+/),
);
/** A constraint at the end of a question: "…, in at most 100 words?", "… as a list". */
const TAIL =
  /,?\s+((?:in|with|within|using)\s+(?:(?:at most|(?:no|not) more than|up to|under|fewer than|less than|about)\s+)?\d{1,5} words|as (?:a )?(?:(?:short|brief|bulleted) )?(?:list|bullets|bullet points))(?=\s*[.?!]?$)/iu;

/** Removes English constraints: whole sentences ("Reports should be terse.", "At most 100 words.") and endings. */
export function withoutConstraints(text: string): Constraints {
  const constraints: string[] = [];
  const asked = sentences(text).flatMap(({ start, end }) => {
    const sentence = text.slice(start, end);
    if (isConstraint(sentence)) {
      constraints.push(sentence);
      return [];
    }
    const tail = /\b(?:each|every)\b/iu.test(sentence) ? null : TAIL.exec(sentence);
    if (tail === null) return [sentence];
    constraints.push(tail[1]);
    return [sentence.replace(TAIL, '')];
  });
  return constraints.length === 0 ? { asked: text, constraints } : { asked: asked.join(' '), constraints };
}

/** Separates the constraints of a question; keeps a text that consists only of constraints. */
export function constraintsIn(text: string): Constraints {
  const { asked, constraints } = withoutConstraints(text);
  return asked === '' ? { asked: text, constraints: [] } : { asked, constraints };
}

function isConstraint(sentence: string): boolean {
  if (/[?？؟]\s*$/u.test(sentence)) return false;
  const words = sentence.toLowerCase().match(/\d{4}-\d{2}-\d{2}|[\p{L}\p{N}]+/gu) ?? [];
  const isForm = (word: string) => FORM.has(word) || new RegExp(`^${DATE}$`).test(word);
  return words.some(isForm) && words.every((word) => isForm(word) || GLUE.has(word) || /^\d{1,5}$/.test(word));
}

/** Length, form and dates in constraints ("100 words", "as a list", "published after 2026-01-31"); the first of each wins. */
export function keptOf(constraints: readonly string[]): KeptConstraints {
  const each = constraints.map((text) => ({ ...lengthIn(text), ...formIn(text), ...datesIn(text) }));
  return Object.assign({}, ...each.toReversed());
}

function lengthIn(text: string): KeptConstraints {
  const words = Number(/(?<![\d,.])(\d{1,5}) words?\b/iu.exec(text)?.[1] ?? 0);
  const isLeast =
    /(?<!\b(?:no|not|be) )\b(?:more|longer) than|\b(?:no|not) (?:fewer|less|shorter) than|\bat least\b|\bor (?:more|longer)\b/iu.test(
      text,
    );
  const isOfParts =
    /\b(?:each|every)\b|\b(?:sentences?|bullets?|paragraphs?|lines?|points?) (?:of|with|under|in|up to|no|at)\b/iu.test(
      text,
    );
  return words > 0 && !isLeast && !isOfParts ? { maxWords: words } : {};
}

function formIn(text: string): KeptConstraints {
  const isRefused = /\b(?:no|not)\b(?! (?:more|longer|fewer|less))/iu.test(text);
  return /\b(?:bullets?|bulleted|as a (?:\w+ )?list)\b/iu.test(text) && !isRefused ? { format: 'bullets' } : {};
}

function datesIn(text: string): KeptConstraints {
  if (!/\b(?:documents|sources|published|dated)\b/iu.test(text) || /\b(?:no|not)\b/iu.test(text)) return {};
  const dateAfter = (words: string) => new RegExp(`\\b(?:${words}) (${DATE})`, 'iu').exec(text)?.[1];
  const isDate = (date: string | undefined): date is string => !Number.isNaN(Date.parse(date ?? ''));
  const [publishedAfter, publishedBefore] = [dateAfter('after|since|from'), dateAfter('before|until|to')];
  return {
    ...(isDate(publishedAfter) && { publishedAfter }),
    ...(isDate(publishedBefore) && { publishedBefore }),
  };
}

/** The constraints that the service applies itself; those in the problem come first. */
export function keptConstraints(intent: PlannedRequest['intent']): KeptConstraints {
  return keptOf(toldIn(intent));
}

export function constraintWarnings(intent: PlannedRequest['intent']): string[] {
  const open = toldIn(intent).filter((text) => Object.keys(keptOf([text])).length === 0);
  return open.map((text) => `Without a language model as writer, “${text}” is not followed`);
}

function toldIn(intent: PlannedRequest['intent']): string[] {
  if (typeof intent === 'string') return [...constraintsIn(intent).constraints];
  const { problem = '', userStory = '', background = '' } = intent ?? {};
  return [constraintsIn(problem), ...[userStory, background].map(withoutConstraints)].flatMap(
    ({ constraints }) => constraints,
  );
}

/** Summary options, with defaults from the constraints of the intent. */
export function summaryOf({
  intent,
  summary,
}: Pick<PlannedRequest, 'intent' | 'summary'>): NonNullable<PlannedRequest['summary']> {
  const { maxWords, format } = keptConstraints(intent);
  return {
    ...summary,
    format: summary?.format ?? format,
    maxWords: summary?.maxWords === undefined ? maxWords : summary.maxWords,
  };
}
