import type { Format } from '../../contract/index.ts';
import { asData } from '../../models/index.ts';
import { dateText, languageName } from '../../text/index.ts';
import { countWords } from '../count-words.ts';
import { passageText } from '../verify/model-judge.ts';
import { labelled } from './draft-units.ts';
import { byDocument, type NumberedPoint } from './material.ts';
import type { DraftSentence } from './parse-draft.ts';

/** Who the text is for. */
export interface Reader {
  /** What is asked; null where nothing is. */
  readonly question: string | null;
  /** Who asks, what for, and how the text is wanted. */
  readonly userStory: string | null;
  /** What the reader knows already. */
  readonly background: string | null;
  /** The parts of what is asked. */
  readonly facets: readonly string[];
  /** ISO 639-3 code of the language to write in; `und` leaves it to the question, or to the key points. */
  readonly language: string;
}

/** Longest background that is shown, in UTF-16 units: what the selection already counts off need not be read whole. */
const MAX_BACKGROUND = 4000;

/** How a text is wanted. */
export interface WritingForm {
  readonly format: Format;
  readonly maxWords: number | null;
  /** Whether as many lines were asked for as there are points. */
  readonly isCounted: boolean;
}

/** The values of the prompt that asks for a draft from some points. */
export function writingValues(
  reader: Reader,
  points: readonly NumberedPoint[],
  { format, maxWords, isCounted }: WritingForm,
): Record<string, string> {
  return {
    ...namingValues(reader, maxWords),
    form: FORMS[format] + (isCounted ? ` The list has ${points.length} lines.` : ''),
    parts: partsText(reader.facets),
    points: asData('key points', documentsText(points)),
  };
}

const FORMS: Readonly<Record<Format, string>> = {
  report:
    'Write short paragraphs with a blank line between them, no headings. Several things of one kind (open items, rules, decisions, cases) have a line each that begins with "- ", under a line that only names them and ends with ":".',
  bullets: 'Write a list: each line one sentence that begins with "- "; no headings.',
  brief:
    'Write three sentences, in one paragraph: the first answers, the others tell what matters most of the rest, each joined from what several documents say; no headings, no lists.',
};

/** The parts that a question of several has, numbered: what is said of one of them names it by its number. */
export function partsText(parts: readonly string[]): string {
  if (parts.length < 2) return '';
  return `Parts of the question:\n${asData('parts', parts.map((part, index) => `${index + 1}. ${part}`).join('\n'))}\n\n`;
}

/** The points under their documents, with what tells a reader which they are. */
function documentsText(points: readonly NumberedPoint[]): string {
  const blocks = byDocument(points).map((own, index) => {
    const [{ passage }] = own;
    const title = passage.title === undefined ? `Document ${index + 1}` : `“${passage.title}”`;
    const dated = passage.publishedAt === undefined ? '' : `, ${dateText(passage.publishedAt)}`;
    return [`${title}${dated}:`, ...own.map(line)].join('\n');
  });
  return blocks.join('\n\n');
}

/** Share of the words that a model is asked for: it counts in its own way, and one word too many costs its last sentence. */
const ASKED_SHARE = 0.95;

/** Who asks what, and how long the answer may be: what every prompt that writes is told. */
export function namingValues(reader: Reader, maxWords: number | null): Record<string, string> {
  return {
    question: reader.question === null ? 'What matters most in the documents.' : asData('question', reader.question),
    reader: readerOf(reader),
    language: languageOf(reader),
    length: maxWords === null ? 'Be brief.' : `Use at most ${Math.floor(ASKED_SHARE * maxWords)} words.`,
  };
}

/** A sentence that the passages it cites do not bear out. */
export interface Failing {
  readonly draft: DraftSentence;
  readonly cited: readonly NumberedPoint[];
  /** The words that they do not bear out; empty where none were named. */
  readonly wrong: string;
}

/** Words that a corrected sentence may have more than it had: a dropped "about" or "according to the minister". */
const MENDED_WORDS = 4;

/** The values of the prompt that asks once more for sentences that failed. */
export function againValues(reader: Reader, failing: readonly Failing[]): Record<string, string> {
  const blocks = failing.map(({ draft, cited, wrong }, index) =>
    [
      `${index + 1}: ${draft.text}`,
      ...(draft.label === undefined ? [] : [`It stands in a list under “${draft.label}:”, which stays.`]),
      `At most ${countWords(draft.text) + MENDED_WORDS} words.`,
      wrong === '' ? 'The passages do not bear all of it out.' : `Not borne out: ${wrong}`,
      'Passages:',
      ...cited.map(({ number, passage }) => `[${number}] ${passageText(passage)}`),
    ].join('\n'),
  );
  const { language } = reader;
  return {
    language: language === 'und' ? 'the language of the sentences' : languageName(language),
    sentences: asData('sentences', blocks.join('\n\n')),
  };
}

/** A sentence with what its list stands under: what a reader takes it to say. */
export function shownText({ text, label }: DraftSentence): string {
  return label === undefined ? text : labelled(label, text);
}

function line({ text, number, passage: { speaker } }: NumberedPoint): string {
  const said = speaker === undefined || text.includes(speaker) ? '' : `${speaker}: `;
  return `[${number}] ${said}${text.replace(/\s+/g, ' ')}`;
}

function readerOf({ userStory, background }: Reader): string {
  const story = userStory === null ? '' : `The reader:\n${asData('reader', userStory)}\n\n`;
  const known =
    background === null
      ? ''
      : `What the reader knows already, and need not be told:\n${asData('background', background.slice(0, MAX_BACKGROUND))}\n\n`;
  return story + known;
}

function languageOf({ language, question }: Reader): string {
  if (language === 'und') return question === null ? 'the language of the key points' : 'the language of the question';
  return languageName(language);
}
