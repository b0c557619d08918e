import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentWords, wordSet } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { beginning, type SourceDocument, UNSPACED, utf8Length } from '../../text/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { oneLine } from '../asking/one-line.ts';
import { QUESTION_KINDS, type QuestionKind } from '../benchmark-set.ts';
import { folded } from './folded.ts';
import { type ReadingRoom, type ReadingWindow, readingRoom, readingWindows } from './reading-windows.ts';

/** A question with its answer as a model gave them; `''` for what it left out. */
interface GivenQuestion {
  readonly question: string;
  readonly answer: string;
  /** Whether the answer stands in the document, or follows from what it says. */
  readonly kind: QuestionKind;
}

const given = z.object({ question: z.string(), answer: z.string(), kind: z.enum(QUESTION_KINDS) });
/** An answer that is a figure comes as a number from some models. */
const nearly = z.object({
  question: z.string().catch(''),
  answer: z.union([z.string(), z.number().transform(String)]).catch(''),
  kind: z.enum(QUESTION_KINDS).catch('fact'),
});
const answer = z.union([
  z.object({ questions: z.array(z.unknown()) }).transform(({ questions }) => questions),
  z.array(z.unknown()),
]);

/** Questions as JSON; an item that is none is given as one without anything, and does not cost the others. */
export const QUESTIONS: JsonForm<GivenQuestion[]> = {
  name: 'questions',
  schema: answer.transform((items) => items.map(read)),
  asked: z.object({ questions: z.array(given) }),
  wholeItems: true,
};

const NOTHING: GivenQuestion = { question: '', answer: '', kind: 'fact' };

function read(item: unknown): GivenQuestion {
  const { question, answer, kind } = nearly.safeParse(item).data ?? NOTHING;
  return { question: oneLine(question), answer: oneLine(answer), kind };
}

/** Padmakumar et al. 2025, appendix A.1. */
const MAX_QUESTION_WORDS = 14;

/** Why a question cannot be used, by the name that it is counted by, with what the model is told. */
const FAULTS = {
  empty: 'the question or its answer is missing',
  longQuestions: `the question has more than ${MAX_QUESTION_WORDS} words`,
  duplicates: 'the question is there already',
  ungrounded: 'most words of the answer do not stand in the document',
} as const;
type Fault = keyof typeof FAULTS;

type CheckedQuestion = GivenQuestion & { readonly fault: Fault | null };

/**
 * Looks at the questions of one document, in the order in which they came. Only of facts the answers have to be in its words. A question that only differs in case or punctuation from
 * one that can be used is a duplicate.
 *
 * @param isGrounded whether the document holds the words of an answer
 * @returns looks at the next ones, knowing those before
 */
export function questionChecker(
  isGrounded: (answer: string) => boolean,
): (given: readonly GivenQuestion[]) => CheckedQuestion[] {
  const known = new Set<string>();
  const faultOf = ({ question, answer, kind }: GivenQuestion): Fault | null => {
    const key = folded(question);
    if (key === '' || !/[\p{L}\p{N}]/u.test(answer)) return 'empty';
    if (countWords(question) > MAX_QUESTION_WORDS) return 'longQuestions';
    if (known.has(key)) return 'duplicates';
    // What follows from a document need not be said in its words.
    if (kind === 'fact' && !isGrounded(answer)) return 'ungrounded';
    known.add(key);
    return null;
  };
  return (given) => given.map((each) => ({ ...each, fault: faultOf(each) }));
}

/**
 * Share of an answer's content words that the document must hold. Answers are asked for in the words of the document, so that most
 * hold all of them; less than all must do for endings and figures that are written otherwise. Of the reference key points of four
 * haystacks (ArgKP), which people worded far more freely than answers are, 75.0% hold this share of words of a document that tells
 * them, and 10.6% of one about other subjects (at a quarter 86.7 and 18.5%, at a half 50.1 and 2.2%). It finds what was made up
 * of other words; whether words that stand there answer the question it cannot tell.
 */
const LEAST = 1 / 3;

/** Tells whether the words of an answer stand in a document: without stop words, case and common endings. */
export function groundedIn(document: string): (answer: string) => boolean {
  const there = wordSet(document);
  const plain = document.normalize('NFKC').toLowerCase();
  return (answer) => {
    const words = [...new Map(contentWords(answer).map(({ text, stem }) => [stem, text.toLowerCase()]))];
    // "Yes", or "no": nothing to look for.
    if (words.length === 0) return true;
    // Where no spaces tell words, the platform may cut an answer otherwise than the document.
    const held = words.filter(([stem, text]) => there.has(stem) || (UNSPACED.test(text) && plain.includes(text)));
    return held.length / words.length >= LEAST;
  };
}

/** What a document gave. */
export interface DocumentQuestions {
  /** In reading order of the windows, those of one as the model gave them. */
  readonly questions: readonly GivenQuestion[];
  readonly windows: number;
  /** Questions that could not be used, by what was wrong. */
  readonly dropped: Readonly<Record<Fault, number>>;
  /** Usable questions beyond those wanted. */
  readonly surplus: number;
}

/**
 * Questions of a document, on facts and such that need reasoning (Padmakumar et al. 2025, section 4.1.2 and appendix A.1): one call for each window, one where the document
 * fits. Where fewer are usable than wanted, each window that gave less than it was asked for is asked once more, told what is
 * there and what was wrong; one whose answer could not be read is not: the model was asked for it twice.
 *
 * @param count questions wanted
 */
export async function documentQuestions(
  document: SourceDocument,
  count: number,
  model: AskedModel,
): Promise<DocumentQuestions> {
  const room = readingRoom(model.contextTokens, count);
  const parts = readingWindows(document, count, room);
  const check = questionChecker(groundedIn(`${document.title ?? ''}\n${document.text}`));
  const first = await Promise.all(
    parts.map(({ shown, asked }) =>
      nullIfUnanswerable(
        model.askFor(
          {
            prompt: model.prompt('benchmark-questions'),
            values: { document: shown, count: String(asked) },
            maxTokens: room.answerTokens(asked),
          },
          QUESTIONS,
        ),
      ),
    ),
  );
  const read = first.map((given) => given && check(given));
  const more = usable(read.flatMap((each) => each ?? [])).length < count ? await askMore(parts, read, room, model) : [];
  // Checked in order of the windows, whichever answer came first.
  const all = parts.map((_, place) => [...(read[place] ?? []), ...check(more[place] ?? [])]);
  const kept = taken(parts, all.map(usable), count);
  return {
    questions: kept.map(({ question, answer, kind }) => ({ question, answer, kind })),
    windows: parts.length,
    dropped: droppedFrom(all.flat()),
    surplus: usable(all.flat()).length - kept.length,
  };
}

function usable(checked: readonly CheckedQuestion[]): CheckedQuestion[] {
  return checked.filter(({ fault }) => fault === null);
}

function askMore(
  parts: readonly ReadingWindow[],
  read: readonly (readonly CheckedQuestion[] | null)[],
  { noteBytes, answerTokens }: ReadingRoom,
  model: AskedModel,
) {
  const found = usable(read.flatMap((each) => each ?? [])).map(({ question }) => question);
  return Promise.all(
    parts.map(async ({ shown, asked }, place) => {
      const own = read[place];
      const missing = own === null ? 0 : asked - usable(own).length;
      if (own === null || missing <= 0) return null;
      const wrong = own.flatMap(({ question, answer, fault }) => {
        if (fault === null) return [];
        return [
          `${question === '' ? '(no question)' : question} / ${answer === '' ? '(no answer)' : answer} (${FAULTS[fault]})`,
        ];
      });
      const values = {
        document: shown,
        count: String(missing),
        found: listed('found', found, noteBytes),
        wrong: listed('wrong', wrong, noteBytes),
      };
      const prompt = model.prompt('benchmark-questions-more');
      return nullIfUnanswerable(model.askFor({ prompt, values, maxTokens: answerTokens(missing) }, QUESTIONS));
    }),
  );
}

/** Models that go round in circles fill pages. */
const MAX_NOTE_LENGTH = 300;

/** As many lines as so many bytes hold, the first at least. */
function listed(kind: string, lines: readonly string[], bytes: number): string {
  const shown: string[] = [];
  let left = bytes;
  for (const line of lines) {
    const short = line.length <= MAX_NOTE_LENGTH ? line : `${beginning(line, MAX_NOTE_LENGTH)} …`;
    left -= utf8Length(short) + 3;
    if (left < 0 && shown.length > 0) break;
    shown.push(`- ${short}`);
  }
  return shown.length === 0 ? 'nothing' : asData(kind, shown.join('\n'));
}

/** So many questions: each window's share, and what others lack from the first that have more. */
function taken<T>(parts: readonly ReadingWindow[], given: readonly (readonly T[])[], count: number): T[] {
  const quotas = parts.map(({ share }, place) => Math.min(share, given[place].length));
  let left = count - quotas.reduce((sum, quota) => sum + quota, 0);
  return given.flatMap((own, place) => {
    const more = Math.min(left, own.length - quotas[place]);
    left -= more;
    return own.slice(0, quotas[place] + more);
  });
}

function droppedFrom(checked: readonly CheckedQuestion[]): Record<Fault, number> {
  const dropped = { empty: 0, longQuestions: 0, duplicates: 0, ungrounded: 0 };
  for (const { fault } of checked) if (fault !== null) dropped[fault]++;
  return dropped;
}
