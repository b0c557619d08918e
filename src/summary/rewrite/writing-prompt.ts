import { languageName } from '../../documents/language.ts';
import { asData } from '../../language-models/as-data.ts';
import type { Unsupported } from '../verify/check-sentence.ts';
import type { Material, NumberedPoint } from './material.ts';
import type { DraftSentence } from './parse-draft.ts';

/** Who the text is for. */
export interface Reader {
  /** What is asked; null where nothing is. */
  readonly question: string | null;
  /** Who asks, and what for. */
  readonly userStory: string | null;
  /** What the reader knows already. */
  readonly background: string | null;
  /** ISO 639-3 code of the language to write in; `und` leaves it to the question, or to the key points. */
  readonly language: string;
}

/** Longest background that is shown, in UTF-16 units: what the selection already counts off need not be read whole. */
const MOST_BACKGROUND = 4000;

/** The values of the prompt that asks for a draft of some paragraphs. */
export function writingValues(
  reader: Reader,
  { points, conflicts }: Material,
  paragraphs: readonly (readonly number[])[],
  format: 'report' | 'bullets',
  maxWords: number | null,
): Record<string, string> {
  const shown = new Set(paragraphs.flat());
  const listed = paragraphs.map((numbers) => numbers.map((number) => line(points[number - 1])).join('\n')).join('\n\n');
  const here = conflicts.filter(({ numbers }) => numbers.every((number) => shown.has(number)));
  const opposed = here.map(({ numbers, on }) => `${numbers.map((n) => `[${n}]`).join(' and ')} conflict (${on}).`);
  return {
    ...namingValues(reader, maxWords),
    form:
      format === 'bullets'
        ? 'Write one sentence for each key point, in the order given, each on a line of its own that begins with "- ".'
        : 'Write running text in paragraphs, one for each theme, with a blank line between them; no headings, no lists.',
    conflicts:
      opposed.length === 0
        ? ''
        : `Conflicts, of which the text has to say how the sides differ:\n${asData('conflicts', opposed.join('\n'))}\n\n`,
    points: asData('key points', listed),
  };
}

/** Who asks what, and how long the answer may be: what every prompt that writes is told. */
export function namingValues(reader: Reader, maxWords: number | null): Record<string, string> {
  return {
    question: reader.question === null ? 'What matters most in the documents.' : asData('question', reader.question),
    reader: readerOf(reader),
    language: languageOf(reader),
    length: maxWords === null ? 'Be brief.' : `Use at most ${maxWords} words.`,
  };
}

/** A sentence that the quotes it cites do not support. */
export interface Failing {
  readonly draft: DraftSentence;
  readonly cited: readonly NumberedPoint[];
  readonly reasons: readonly Unsupported[];
}

const WHY: Record<Unsupported, string> = {
  words: 'it says more than the key points do, or says it in words too far from theirs',
  number: 'it holds a number that they do not',
  name: 'it holds a name that they do not',
  polarity: 'it says the opposite',
};

/** The values of the prompt that asks once more for sentences that failed. */
export function againValues(reader: Reader, failing: readonly Failing[]): Record<string, string> {
  const blocks = failing.map(({ draft, cited, reasons }, index) =>
    [
      `${index + 1}: ${draft.text}`,
      `What is wrong: ${reasons.map((reason) => WHY[reason]).join('; ')}.`,
      'Key points:',
      ...cited.map(line),
    ].join('\n'),
  );
  return { language: languageOf(reader), sentences: asData('sentences', blocks.join('\n\n')) };
}

function line({ own, number }: NumberedPoint): string {
  return `- ${own.text} [${number}]`;
}

function readerOf({ userStory, background }: Reader): string {
  const story = userStory === null ? '' : `The reader:\n${asData('reader', userStory)}\n\n`;
  const known =
    background === null
      ? ''
      : `What the reader knows already, and need not be told:\n${asData('background', background.slice(0, MOST_BACKGROUND))}\n\n`;
  return story + known;
}

function languageOf({ language, question }: Reader): string {
  if (language === 'und') return question === null ? 'the language of the key points' : 'the language of the question';
  return languageName(language);
}
