import type { Format } from '../../contract/index.ts';
import {
  asData,
  BYTES_PER_TOKEN,
  ModelCallError,
  type Prompt,
  type Question,
  type StageModel,
} from '../../models/index.ts';
import { citationMarkers, citedNumbers, dateText, groups, languageName, utf8Length } from '../../text/index.ts';
import { sentenceLimit } from '../input.ts';
import { countWords } from '../sentence-text.ts';
import { passageText } from '../verify/judges.ts';
import { type Draft, draftOf } from './draft.ts';
import type { Failing } from './hold-draft.ts';
import { byDocument, inParts, type Material, type NumberedPoint } from './material.ts';
import type { Writer } from './rewrite.ts';

export interface Reader {
  readonly question: string | null;
  readonly userStory: string | null;
  readonly background: string | null;
  readonly facets: readonly string[];
  /** ISO 639-3 code of the output language; `und` follows the question or the key points. */
  readonly language: string;
}

/** Maximum length of the background shown, in UTF-16 units; the selection already accounts for the rest. */
const MAX_BACKGROUND = 4000;

const FORMS: Readonly<Record<Format, string>> = {
  report:
    'Write short paragraphs with a blank line between them, and lists: lines that begin with "- ", where there are several lists each under a line in bold that names it.',
  bullets: 'Write a list: each line one sentence that begins with "- "; no headings.',
  brief:
    'Write three sentences, in one paragraph: the first answers, the others tell what matters most of the rest, each joined from what several documents say; no headings, no lists.',
};

export function partsText(parts: readonly string[]): string {
  if (parts.length < 2) return '';
  return `Parts of the question:\n${asData('parts', parts.map((part, index) => `${index + 1}. ${part}`).join('\n'))}\n\n`;
}

/** At least this many more documents are worth the words. */
const OFTEN = 2;

function pointsText(points: readonly NumberedPoint[]): string {
  const blocks = byDocument(points).map((own, index) =>
    [`${headingOf(own[0].passage, index)}:`, ...own.map(line)].join('\n'),
  );
  const text = asData('key points', blocks.join('\n\n'));
  const often = points.flatMap(({ number, alike }) => (alike < OFTEN ? [] : `${number}: ${alike}`));
  const more = often.length === 0 ? '' : `\n\nIn how many more documents much the same stands: ${often.join(', ')}.`;
  return `Passages of the documents, with their numbers; the rest was read and left out:\n${text}${more}`;
}

function documentsText(documents: NonNullable<Material['documents']>): string {
  const blocks = documents.map(({ described, text }, index) =>
    asData('document', `${headingOf(described, index)}\n\n${text}`, index + 1),
  );
  return ['The documents, with the number of each passage in front of it:', ...blocks].join('\n\n');
}

function importantText(important: readonly NumberedPoint[]): string {
  const numbers = important.map(({ number }) => number).sort((a, b) => a - b);
  return numbers.length === 0 ? '' : `Marked as important by a first reading: ${numbers.join(', ')}.\n\n`;
}

function headingOf(
  { title, publishedAt }: { title?: string | undefined; publishedAt?: string | undefined },
  index: number,
): string {
  const named = title === undefined ? `Document ${index + 1}` : `“${title}”`;
  return publishedAt === undefined ? named : `${named}, ${dateText(publishedAt)}`;
}

/** Share of the word limit requested from a model: it counts differently, and one extra word costs its last sentence, often a whole case. */
const ASKED_SHARE = 0.9;

export function namingValues(reader: Reader, maxWords: number | null): Record<string, string> {
  const { question, userStory, background } = reader;
  const story = userStory === null ? '' : `The reader:\n${asData('reader', userStory)}\n\n`;
  const known = asData('background', (background ?? '').slice(0, MAX_BACKGROUND));
  return {
    question: question === null ? 'What matters most in the documents.' : asData('question', question),
    reader: story + (background === null ? '' : `What the reader knows already, and need not be told:\n${known}\n\n`),
    language: languageOf(reader),
    length: maxWords === null ? 'Be brief.' : `Use at most ${Math.floor(ASKED_SHARE * maxWords)} words.`,
  };
}

/** Extra words for a corrected sentence, such as a missing "about" or "according to the minister". */
const MENDED_WORDS = 4;

function againValues(reader: Reader, failing: readonly Failing[]): Record<string, string> {
  const blocks = failing.map(({ draft, cited, wrong }, index) =>
    [
      `${index + 1}: ${draft.text}`,
      ...(draft.label === undefined ? [] : [`It stands in a list under “${draft.label}:”, which stays.`]),
      `At most ${countWords(draft.text) + MENDED_WORDS} words.`,
      wrong === '' ? 'The passages do not bear all of it out.' : `Not borne out: ${wrong}`,
      'Passages:',
      ...cited.map(({ number, passage }) => `${citationMarkers([number])} ${passageText(passage)}`),
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
  return `${citationMarkers([number])} ${said}${text.replace(/\s+/g, ' ')}`;
}

/** Without the question if a prompt does not show it. */
export function readerShown(reader: Reader, { variables }: Prompt): Reader {
  return variables.includes('question') ? reader : { ...reader, question: null };
}

function languageOf({ language, question }: Reader): string {
  if (language === 'und') return question === null ? 'the language of the documents' : 'the language of the question';
  return languageName(language);
}

interface ModelWriterOptions {
  readonly model: StageModel;
  /** Without `edit` a draft stays as it is. */
  readonly prompts: { readonly write: Prompt; readonly again: Prompt; readonly edit?: Prompt | undefined };
  readonly reader: Reader;
  readonly format: Format;
  readonly maxWords: number | null;
  readonly isCounted: boolean;
  readonly fillsContext: boolean;
  readonly isStreamed: boolean;
}

/** Maximum number of points per prompt; models lose some of a longer list. */
const MAX_POINTS = 200;
/** Share of the context for points; the answer, the rules and the reader need the rest. */
const POINTS_SHARE = 0.35;
/** Shares for points and answer if all points must fit one prompt. */
const FILLED = { points: 0.6, answer: 0.3 };
/** Words of an answer from whole documents for which no bound is set. */
const UNBOUNDED = 1000;
/** Answer tokens per word, per point and in addition; omitted points are listed by number. */
const ANSWER_TOKENS = { word: 3, point: 16, more: 300 };

const UNANSWERED = /^NOT ANSWERED: *all/im;

/** Whether a text cites something, or says that there is nothing to cite: "It is good as it is" does neither. */
function isAnswer(text: string): boolean {
  return citedNumbers(text).length > 0 || UNANSWERED.test(text);
}

export function modelWriter(options: ModelWriterOptions): Writer {
  const { model, prompts, format, maxWords, isCounted, fillsContext, isStreamed } = options;
  const reader = readerShown(options.reader, prompts.write);
  const bytes = (fillsContext ? FILLED.points : POINTS_SHARE) * model.contextTokens * BYTES_PER_TOKEN;
  const maxPoints = fillsContext ? Number.POSITIVE_INFINITY : MAX_POINTS;
  const longest = Math.floor(FILLED.answer * model.contextTokens);
  const draftWith = (values: Question['values'], maxTokens: number, important = ''): Draft =>
    draftOf(async (streaming) => {
      const { write, edit } = prompts;
      let hasBegun = false;
      const onText = (piece: string) => {
        hasBegun = true;
        streaming.onText(piece);
      };
      const told = isStreamed ? { ...streaming, onText } : {};
      if (edit === undefined) return { text: await model.ask({ prompt: write, values, maxTokens, ...told }) };
      const draft = await model.ask({ prompt: write, values, maxTokens });
      try {
        const given = { ...values, important, draft: asData('draft', draft) };
        const edited = await model.ask({ prompt: edit, values: given, maxTokens, ...told });
        if (isAnswer(edited) || !isAnswer(draft)) return { text: edited };
        streaming.onRestart();
        return { text: draft };
      } catch (failure) {
        if (hasBegun || !(failure instanceof ModelCallError)) throw failure;
        return { text: draft, failed: failure };
      }
    });
  return {
    drafts: ({ points, ranked, documents }) => {
      const values = { ...namingValues(reader, maxWords), parts: partsText(reader.facets) };
      const formOf = (lines: number): string => FORMS[format] + (isCounted ? ` The list has ${lines} lines.` : '');
      if (documents !== null) {
        const { word, point, more } = ANSWER_TOKENS;
        const maxTokens = word * (maxWords ?? UNBOUNDED) + point * ranked.length + more;
        const all = { ...values, form: formOf(ranked.length), material: documentsText(documents) };
        return [draftWith(all, maxTokens, importantText(ranked))];
      }
      // Do not split a few sentences: write them from the documents of the best points.
      const asked =
        sentenceLimit(format) === null
          ? inParts(points, bytes, maxPoints)
          : inParts(ranked, bytes, maxPoints)
              .slice(0, 1)
              .map((part) => part.toSorted((a, b) => a.number - b.number));
      const shown = asked.reduce((sum, part) => sum + part.length, 0);
      return asked.map((part) => {
        const share = maxWords === null ? null : Math.round((maxWords * part.length) / shown);
        const own = {
          ...values,
          ...namingValues(reader, share),
          form: formOf(part.length),
          material: pointsText(part),
        };
        return draftWith(own, fillsContext ? longest : answerTokens(part, share));
      });
    },
    async again(failing) {
      const parts = [...groups(failing.entries(), bytes, ([, each]) => sizeOf(each))];
      const calls = parts.map(async (part) => {
        const some = part.map(([, each]) => each);
        const cited = some.flatMap((each) => each.cited);
        const maxTokens = Math.min(answerTokens(cited, null), Math.floor(model.contextTokens / 2));
        const answer = await model.ask({ prompt: prompts.again, values: againValues(reader, some), maxTokens });
        return [...numberedLines(answer)].map(([place, line]) => [part[0][0] + place, line] as const);
      });
      return new Map((await Promise.all(calls)).flat());
    },
  };
}

function sizeOf({ cited, draft }: Failing): number {
  return cited.reduce((sum, { passage }) => sum + utf8Length(passageText(passage)), draft.text.length);
}

function numberedLines(answer: string): Map<number, string> {
  const lines = answer.split('\n').flatMap((line) => {
    const found = /^\W*(\d{1,4})\s*[:.)\]](?!\d)\s*(.+)$/u.exec(line.trim());
    return found === null ? [] : [[Number(found[1]), found[2]] as const];
  });
  return new Map(lines.reverse());
}

/** Token limit of the answer: the requested words or about twice the points' own, whichever is less. */
function answerTokens(points: readonly NumberedPoint[], words: number | null): number {
  const bytes = points.reduce((sum, { text }) => sum + utf8Length(text), 0);
  const own = Math.ceil((2 * bytes) / BYTES_PER_TOKEN);
  const text = words === null ? own : ANSWER_TOKENS.word * words;
  return Math.min(own, text) + ANSWER_TOKENS.point * points.length + ANSWER_TOKENS.more;
}
