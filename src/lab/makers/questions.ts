import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type JsonForm } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import {
  beginning,
  contentWords,
  type SourceDocument,
  UNSPACED,
  utf8Length,
  windows,
  wordSet,
} from '../../text/index.ts';
import { type BenchmarkCase, type BenchmarkQuestion, type BenchmarkSet, QUESTION_KINDS } from '../benchmark-set.ts';
import { type AskedModel, mapConcurrent, oneLine } from './asked-model.ts';
import { type Counts, countNotes, type MadeSet, type Maker, summed, totalCalls, UnfitSetError } from './maker.ts';

const pair = z.object({ question: z.string(), answer: z.string(), kind: z.enum(QUESTION_KINDS) });
type GivenQuestion = z.infer<typeof pair>;

const NOTHING: GivenQuestion = { question: '', answer: '', kind: 'fact' };
/** Some models give a numeric answer as a number. */
const nearly = z
  .object({
    question: z.string().catch(''),
    answer: z.union([z.string(), z.number().transform(String)]).catch(''),
    kind: z.enum(QUESTION_KINDS).catch('fact'),
  })
  .catch(NOTHING)
  .transform(({ question, answer, kind }) => ({ question: oneLine(question), answer: oneLine(answer), kind }));
const list = z.array(nearly);

/** An unreadable item becomes an empty question. */
const QUESTIONS: JsonForm<GivenQuestion[]> = {
  name: 'questions',
  schema: z.union([z.object({ questions: list }).transform(({ questions }) => questions), list]),
  asked: z.object({ questions: z.array(pair) }),
  wholeItems: true,
};

/** Padmakumar et al. 2025, appendix A.1. */
const MAX_QUESTION_WORDS = 14;

/** Reasons for rejection, as stated to the model, by the name of their count. */
const FAULTS = {
  empty: 'the question or its answer is missing',
  longQuestions: `the question has more than ${MAX_QUESTION_WORDS} words`,
  duplicates: 'the question is there already',
  ungrounded: 'most words of the answer do not stand in the document',
} as const;
type Fault = keyof typeof FAULTS;
type CheckedQuestion = GivenQuestion & { readonly fault: Fault | null };

export function folded(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join(' ') ?? '';
}

/** Checks questions in order; only usable questions count as originals of duplicates. */
function questionChecker(document: string): (given: readonly GivenQuestion[]) => CheckedQuestion[] {
  const isGrounded = groundedIn(document);
  const known = new Set<string>();
  const faultOf = ({ question, answer, kind }: GivenQuestion): Fault | null => {
    const key = folded(question);
    if (key === '' || !/[\p{L}\p{N}]/u.test(answer)) return 'empty';
    if (countWords(question) > MAX_QUESTION_WORDS) return 'longQuestions';
    if (known.has(key)) return 'duplicates';
    // Conclusions may use other words than the document.
    if (kind === 'fact' && !isGrounded(answer)) return 'ungrounded';
    known.add(key);
    return null;
  };
  return (given) => given.map((each) => ({ ...each, fault: faultOf(each) }));
}

/**
 * Min share of an answer's content words that the document holds. Of the reference key points of four haystacks
 * (ArgKP), worded more freely than answers, 75.0% reach it in a document that tells them, and 10.6% in one about other
 * subjects (a quarter: 86.7 and 18.5%; a half: 50.1 and 2.2%).
 */
const GROUNDED = 1 / 3;

/** Ignores stop words, case and common endings. */
export function groundedIn(document: string): (answer: string) => boolean {
  const there = wordSet(document);
  const plain = document.normalize('NFKC').toLowerCase();
  return (answer) => {
    const words = [...new Map(contentWords(answer).map(({ text, stem }) => [stem, text.toLowerCase()]))];
    // "Yes" or "no" has no content words.
    if (words.length === 0) return true;
    // Without spaces, an answer may be segmented otherwise than the document.
    const held = words.filter(([stem, text]) => there.has(stem) || (UNSPACED.test(text) && plain.includes(text)));
    return held.length / words.length >= GROUNDED;
  };
}

interface ReadingWindow {
  readonly shown: string;
  /** Number to request: the share, but at least one. */
  readonly asked: number;
  readonly share: number;
}

/** Models overlook more in longer windows. */
const MAX_WINDOW_BYTES = 32_000;
const MIN_BYTES = 200;
/** Conservative for most scripts. */
export const SAFE_BYTES_PER_TOKEN = 2;
const RULES_TOKENS = 600;
/** Shares of the room: a window, and each of the two lists of earlier questions. */
const [WINDOW, NOTES] = [0.8, 0.1];
const OVERLAP = 0.1;

function answerTokens(contextTokens: number, questions: number): number {
  return Math.min(100 + 150 * questions, Math.floor(contextTokens / 3));
}

function roomBytes(contextTokens: number, questions: number): number {
  return SAFE_BYTES_PER_TOKEN * (contextTokens - RULES_TOKENS - answerTokens(contextTokens, questions));
}

function readingWindows({ title, text }: SourceDocument, questions: number, contextTokens: number): ReadingWindow[] {
  const room = Math.floor(WINDOW * roomBytes(contextTokens, questions));
  const bytes = Math.min(MAX_WINDOW_BYTES, Math.max(MIN_BYTES, room));
  const spans = windows(text, { bytes, overlapBytes: Math.floor(OVERLAP * bytes) });
  const parts = spans.map(({ start, end }) => text.slice(start, end));
  const shares = shareOut(
    questions,
    parts.map((part) => utf8Length(part)),
  );
  return parts.map((part, place) => ({
    shown: asData('document', title === undefined ? part : `${title}\n\n${part}`),
    asked: Math.max(1, shares[place]),
    share: shares[place],
  }));
}

export function shareOut(count: number, sizes: readonly number[]): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let [before, size] = [0, 0];
  return sizes.map((own) => {
    size += own;
    const upTo = Math.round((count * size) / total);
    const share = upTo - before;
    before = upTo;
    return share;
  });
}

interface DocumentQuestions {
  readonly questions: readonly GivenQuestion[];
  readonly counts: Counts;
}

/**
 * Requests factual and reasoning questions on a document (Padmakumar et al. 2025, section 4.1.2 and appendix A.1): one
 * call per window, with one retry for windows that gave too few.
 */
async function documentQuestions(
  document: SourceDocument,
  count: number,
  model: AskedModel,
): Promise<DocumentQuestions> {
  const { contextTokens } = model;
  const parts = readingWindows(document, count, contextTokens);
  const check = questionChecker(`${document.title ?? ''}\n${document.text}`);
  const first = await Promise.all(
    parts.map(({ shown, asked }) => {
      const values = { document: shown, count: String(asked) };
      return model.json('benchmark-questions', values, answerTokens(contextTokens, asked), QUESTIONS);
    }),
  );
  const read = first.map((given) => given && check(given));
  const found = usable(read.flatMap((each) => each ?? [])).map(({ question }) => question);
  const noteBytes = Math.max(MIN_BYTES, Math.floor(NOTES * roomBytes(contextTokens, count)));
  const askAgain = async ({ shown, asked }: ReadingWindow, own: readonly CheckedQuestion[] | null) => {
    const missing = own === null ? 0 : asked - usable(own).length;
    if (own === null || missing <= 0 || found.length >= count) return null;
    const wrong = own.flatMap(({ question, answer, fault }) =>
      fault === null ? [] : [`${question || '(no question)'} / ${answer || '(no answer)'} (${FAULTS[fault]})`],
    );
    const values = {
      document: shown,
      count: String(missing),
      found: listed('found', found, noteBytes),
      wrong: listed('wrong', wrong, noteBytes),
    };
    return model.json('benchmark-questions-more', values, answerTokens(contextTokens, missing), QUESTIONS);
  };
  const more = await Promise.all(parts.map((part, place) => askAgain(part, read[place])));
  // In window order, whichever answer came first.
  const all = parts.map((_, place) => [...(read[place] ?? []), ...check(more[place] ?? [])]);
  const questions = taken(parts, all.map(usable), count);
  const counts: Record<Fault, number> = { empty: 0, longQuestions: 0, duplicates: 0, ungrounded: 0 };
  for (const { fault } of all.flat()) if (fault !== null) counts[fault]++;
  return {
    questions,
    counts: {
      ...{ documents: 1, windows: parts.length, questions: questions.length, ...counts },
      reasoning: questions.filter(({ kind }) => kind === 'reasoning').length,
      surplus: usable(all.flat()).length - questions.length,
      shortDocuments: Number(questions.length < count),
      missing: count - questions.length,
    },
  };
}

function usable(checked: readonly CheckedQuestion[]): CheckedQuestion[] {
  return checked.filter(({ fault }) => fault === null);
}

const MAX_NOTE_LENGTH = 300;

function listed(kind: string, lines: readonly string[], bytes: number): string {
  if (lines.length === 0) return 'nothing';
  const short = lines.map((line) => `- ${beginning(line, MAX_NOTE_LENGTH)}`);
  let left = bytes;
  const fitting = short.filter((line) => {
    left -= utf8Length(line) + 1;
    return left >= 0;
  });
  return asData(kind, (fitting.length > 0 ? fitting : short.slice(0, 1)).join('\n'));
}

/** The share of each window; earlier windows make up for missing questions. */
function taken(
  parts: readonly ReadingWindow[],
  given: readonly (readonly CheckedQuestion[])[],
  count: number,
): GivenQuestion[] {
  const quotas = parts.map(({ share }, place) => Math.min(share, given[place].length));
  let left = count - quotas.reduce((sum, quota) => sum + quota, 0);
  return given.flatMap((own, place) => {
    const more = Math.min(left, own.length - quotas[place]);
    left -= more;
    return own.slice(0, quotas[place] + more).map(({ question, answer, kind }) => ({ question, answer, kind }));
  });
}

type QuestionsByCollection = ReadonlyMap<string, readonly BenchmarkQuestion[]>;

/** Adds questions to collections, each with one case without an intent. Documents without new questions keep earlier ones. */
function withQuestions(set: BenchmarkSet, made: QuestionsByCollection): BenchmarkSet {
  const collections = set.collections.map((collection) => {
    const own = made.get(collection.id);
    return own === undefined ? collection : { ...collection, questions: united(collection.questions, own) };
  });
  const earlier = new Map(set.collections.map(({ id, questions }) => [id, questions]));
  const cases = set.cases.map((each) => {
    const own = made.get(each.collection);
    if (own === undefined || each.intent !== undefined) return each;
    return { ...each, questions: united(each.questions ?? earlier.get(each.collection), own) };
  });
  const added = collections.flatMap(({ id, questions = [] }): BenchmarkCase[] =>
    !made.has(id) || questions.length === 0 || hasOpenCase(set, id) ? [] : [{ id, collection: id, questions }],
  );
  return { ...set, collections, cases: [...cases, ...added] };
}

function united(before: readonly BenchmarkQuestion[] = [], made: readonly BenchmarkQuestion[]): BenchmarkQuestion[] {
  const again = new Set(made.map(({ document }) => document));
  const stay = before.filter(({ document }) => !again.has(document));
  return [...stay, ...made].sort((a, b) => a.position - b.position);
}

function hasOpenCase({ cases }: BenchmarkSet, id: string): boolean {
  return cases.some(({ collection, intent }) => collection === id && intent === undefined);
}

interface QuestionsOptions {
  readonly questions: number;
  /** Null for all. */
  readonly limit: number | null;
  readonly contextTokens: number;
}

const PAIR_TOKENS = 50;
const NOTES_BY_COUNT = {
  reasoning: 'Of them need reasoning',
  empty: 'Dropped, incomplete',
  longQuestions: `Dropped, of more than ${MAX_QUESTION_WORDS} words`,
  duplicates: 'Dropped, repeated',
  ungrounded: 'Dropped, with an answer in words that the document does not hold',
  shortDocuments: 'Documents with fewer questions than wanted',
  missing: 'Questions missing in all',
};

/** Questions for each document (Padmakumar et al. 2025, section 4.1.2). @throws UnfitSetError if an id is taken */
export function questionsMaker(
  set: BenchmarkSet,
  { questions: count, limit, contextTokens }: QuestionsOptions,
): Maker<readonly DocumentQuestions[]> {
  const ids = new Set(set.cases.map(({ id }) => id));
  const takenIds = set.collections.flatMap(({ id }) => (ids.has(id) && !hasOpenCase(set, id) ? [`"${id}"`] : []));
  if (takenIds.length > 0) {
    throw new UnfitSetError(
      `${takenIds.join(', ')} is the id of a collection, and of a case with an intent or of another collection; it is needed for the case that asks what there is: give that case another id.`,
    );
  }
  const read = set.collections
    .flatMap(({ id, documents }) => documents.map((document, position) => ({ collection: id, document, position })))
    .slice(0, limit ?? undefined);
  return {
    step: 'questions',
    version: 2,
    options: { questions: count, limit, context: contextTokens },
    expected: () =>
      totalCalls(
        read
          .flatMap(({ document }) => readingWindows(document, count, contextTokens))
          .map(({ shown, asked }) => [1, RULES_TOKENS + utf8Length(shown) / BYTES_PER_TOKEN, PAIR_TOKENS * asked]),
      ),
    ask: (model) => mapConcurrent(read, ({ document }) => documentQuestions(document, count, model)),
    build(answers): MadeSet {
      const made = new Map<string, BenchmarkQuestion[]>();
      for (const [place, { collection, document, position }] of read.entries()) {
        const own = answers[place].questions.map((each) => ({ ...each, document: document.id, position }));
        made.set(collection, [...(made.get(collection) ?? []), ...own]);
      }
      const whole = withQuestions(set, made);
      const counts = summed(answers.map((each) => each.counts));
      const { questions = 0, documents = 0 } = counts;
      const there = whole.collections.reduce((sum, { questions: own = [] }) => sum + own.length, 0);
      const withIntent = whole.cases.filter(({ intent, questions: own }) => intent !== undefined && own).length;
      const notes = [
        `Questions: ${questions} (documents: ${documents}).`,
        ...countNotes(counts, NOTES_BY_COUNT),
        ...countNotes(
          { stay: there - questions, withIntent },
          {
            stay: 'Earlier questions that stay, of documents not read now or that gave none',
            withIntent: 'Cases with an intent, which keep their questions until benchmark intents is run anew',
          },
        ),
      ];
      return { set: questions === 0 ? null : whole, counts, notes };
    },
  };
}
