import type { Format } from '../../contract/index.ts';
import { asData, BYTES_PER_TOKEN, type Prompt, type StageModel } from '../../models/index.ts';
import { dateText, groups, languageName, utf8Length } from '../../text/index.ts';
import { countWords } from '../count-words.ts';
import { sentenceLimit } from '../input.ts';
import { passageText } from '../verify/judges.ts';
import { draftOf } from './draft.ts';
import type { Failing } from './hold-draft.ts';
import { byDocument, inParts, type NumberedPoint } from './material.ts';
import type { Writer } from './rewrite.ts';

/** Who the text is for. */
export interface Reader {
  /** What is asked; null if nothing is. */
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
interface WritingForm {
  readonly format: Format;
  readonly maxWords: number | null;
  /** Whether as many lines were asked for as there are points. */
  readonly isCounted: boolean;
}

/** The values of the prompt that asks for a draft from some points. */
function writingValues(
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

/** Words that a corrected sentence may have more than it had: a dropped "about" or "according to the minister". */
const MENDED_WORDS = 4;

/** The values of the prompt that asks once more for sentences that failed. */
function againValues(reader: Reader, failing: readonly Failing[]): Record<string, string> {
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

interface ModelWriterOptions extends WritingForm {
  readonly model: StageModel;
  readonly prompts: { readonly write: Prompt; readonly again: Prompt };
  readonly reader: Reader;
  /** Whether all points go into one prompt as long as the context holds them. */
  readonly fillsContext: boolean;
  /** Whether sentences are wanted as they come. */
  readonly isStreamed: boolean;
}

/** Points in one prompt: more, and models lose some. */
const MAX_POINTS = 200;
/** Share of the context that the points may fill; the answer, the rules and the reader need the rest. */
const POINTS_SHARE = 0.35;
/** Share that they may fill where all are to stand in one prompt, and that the answer may have then. */
const FILLED = { points: 0.6, answer: 0.3 };
/** Tokens of an answer for each word that it may have, and beside: what is left out is named by its number. */
const ANSWER_TOKENS = { word: 3, point: 16, more: 300 };

/** A language model that writes from key points; more of them than a prompt should hold are written in parts, at once. */
export function modelWriter(options: ModelWriterOptions): Writer {
  const { model, prompts, reader, format, maxWords, isCounted, fillsContext, isStreamed } = options;
  const bytes = (fillsContext ? FILLED.points : POINTS_SHARE) * model.contextTokens * BYTES_PER_TOKEN;
  const maxPoints = fillsContext ? Number.POSITIVE_INFINITY : MAX_POINTS;
  const longest = fillsContext ? Math.floor(FILLED.answer * model.contextTokens) : Number.POSITIVE_INFINITY;
  return {
    drafts: ({ points, ranked }) => {
      // A few sentences are not shared out: they are written from the documents of the best points.
      const asked =
        sentenceLimit(format) === null
          ? inParts(points, bytes, maxPoints)
          : inParts(ranked, bytes, maxPoints)
              .slice(0, 1)
              .map((part) => part.toSorted((a, b) => a.number - b.number));
      const shown = asked.reduce((sum, part) => sum + part.length, 0);
      return asked.map((part) => {
        const share = maxWords === null ? null : Math.round((maxWords * part.length) / shown);
        const values = writingValues(reader, part, { format, maxWords: share, isCounted });
        const maxTokens = Math.min(answerTokens(part, share), longest);
        return draftOf(model, { prompt: prompts.write, values, maxTokens, isStreamed });
      });
    },
    async again(failing) {
      const parts = [...groups(failing.entries(), bytes, ([, each]) => sizeOf(each))];
      const calls = parts.map(async (part) => {
        const some = part.map(([, each]) => each);
        const words = answerTokens(
          some.flatMap(({ cited }) => cited),
          null,
        );
        const maxTokens = Math.min(words, Math.floor(model.contextTokens / 2));
        const answer = await model.ask({ prompt: prompts.again, values: againValues(reader, some), maxTokens });
        return [...numberedLines(answer)].map(([place, line]) => [part[0][0] + place, line] as const);
      });
      return new Map((await Promise.all(calls)).flat());
    },
  };
}

/** Bytes of a sentence with what it cites. */
function sizeOf({ cited, draft }: Failing): number {
  return cited.reduce((sum, { passage }) => sum + utf8Length(passageText(passage)), draft.text.length);
}

/** "2: …" by its number; the first of several counts. */
function numberedLines(answer: string): Map<number, string> {
  const lines = answer.split('\n').flatMap((line) => {
    const found = /^\W*(\d{1,4})\s*[:.)\]](?!\d)\s*(.+)$/u.exec(line.trim());
    return found === null ? [] : [[Number(found[1]), found[2]] as const];
  });
  return new Map(lines.reverse());
}

/** Room for the words that were asked for or about twice the points' own wording, whatever is less. */
function answerTokens(points: readonly NumberedPoint[], words: number | null): number {
  const bytes = points.reduce((sum, { text }) => sum + utf8Length(text), 0);
  const own = Math.ceil((2 * bytes) / BYTES_PER_TOKEN);
  const text = words === null ? own : ANSWER_TOKENS.word * words;
  return Math.min(own, text) + ANSWER_TOKENS.point * points.length + ANSWER_TOKENS.more;
}
