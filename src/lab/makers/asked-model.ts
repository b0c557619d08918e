import pLimit from 'p-limit';
import { z } from 'zod';
import { canonicalJson } from '../../contract/index.ts';
import {
  asData,
  type JsonForm,
  ModelCallError,
  NO_USAGE,
  type Prompt,
  type Prompts,
  type Question,
  type StageModel,
  THOUGHTS,
  type WeighedWord,
  type WorkCache,
  withoutUnseen,
} from '../../models/index.ts';
import { contentHash, type SourceDocument, utf8Length, windows } from '../../text/index.ts';
import { keptSteps } from '../runner.ts';

type Values = Question['values'];

/** Caches answers. `text`, `json` and `yes` return null for unreadable answers and refused questions, and throw all other failures. */
export type AskedModel = ReturnType<typeof askedModel>;

type KeptAnswer =
  | { readonly answer: unknown }
  | { readonly failure: 'malformed' | 'refused'; readonly message: string };

/** Raise it if parsing of answers changes. */
const VERSION = 1;

export interface AskedModelOptions {
  readonly restart: boolean;
  readonly retry: boolean;
  readonly onAnswer?: ((calls: number, malformed: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly concurrency?: number | undefined;
  /** Whether questions without a cached answer are only counted. */
  readonly isTrial?: boolean | undefined;
}

const FENCE = /^```\w*\n([\s\S]*?)\n```$/;
const YES_TOKENS = 16;

/** Caches answers on arrival, even unreadable ones, but no refusals: a setting may cause them. */
export function askedModel(
  model: StageModel,
  prompts: Prompts,
  cache: WorkCache,
  { restart, retry, onAnswer, signal, concurrency = Number.POSITIVE_INFINITY, isTrial = false }: AskedModelOptions,
) {
  const limit = pLimit(concurrency);
  const used = new Map<string, string>();
  const asked: Promise<unknown>[] = [];
  // Malformed: unreadable even after a retry; refused: by the server for their content, such as their length.
  const calls = { calls: 0, malformed: 0, refused: 0, known: 0 };
  const { counts, count } = tally();
  let [isClosed, firstFailure]: [boolean, string | null] = [false, null];
  const steps = keptSteps<KeptAnswer>(cache, 'benchmark-answer', {
    keeps: (given) => !isTrial && !('failure' in given && given.failure === 'refused'),
    isStale: (given) => restart || (retry && 'failure' in given),
    onStep({ result, known }) {
      calls.calls++;
      calls.known += Number(known);
      if ('failure' in result) {
        firstFailure ??= result.message;
        calls[result.failure]++;
      }
      onAnswer?.(calls.calls, calls.malformed);
    },
  });

  async function once<Answer>(kind: string, question: Question, ask: () => Promise<Answer>) {
    const { prompt, values, maxTokens } = question;
    used.set(prompt.id, prompt.hash);
    const key = contentHash(canonicalJson([VERSION, kind, model.settings, prompt.hash, values, maxTokens]));
    const step = steps.once(key, () =>
      limit(() => {
        if (isClosed || signal?.aborted) throw new ModelCallError('cancelled', 'No further question is asked.');
        return answered(ask);
      }),
    );
    asked.push(step);
    const { result } = await step;
    if ('failure' in result) throw new ModelCallError(result.failure, result.message, NO_USAGE, { isFatal: false });
    // The key identifies the question and the type of its answer.
    return result.answer as Answer;
  }

  const promptOf = (id: string): Prompt => {
    const prompt = prompts.get(id);
    if (prompt === undefined) throw new TypeError(`there is no prompt "${id}"`);
    return prompt;
  };
  const questionOf = (promptId: string, values: Values, tokens: number): Question => {
    const maxTokens = Math.min(tokens, Math.floor(model.contextTokens / 3));
    return { prompt: promptOf(promptId), values, maxTokens };
  };
  const ask = (question: Question) => once('text', question, () => model.ask(question));
  const askFor = <Form>(question: Question, form: JsonForm<Form>) =>
    once<Form>(`json ${form.name}`, question, () => model.askFor(question, form));
  const weigh = (question: Question, words: readonly string[]) =>
    once<WeighedWord>(`word ${words.join(' ')}`, question, () => model.weigh(question, words));

  return {
    ...{ settings: model.settings, contextTokens: model.contextTokens, usage: () => model.usage() },
    ...{ isTrial, ask, askFor, weigh, prompt: promptOf, count },
    /** @param maxTokens of the answer, at most a third of the context */
    async text(promptId: string, values: Values, maxTokens: number): Promise<string | null> {
      const answer = await nullIfUnanswerable(ask(questionOf(promptId, values, maxTokens)));
      const text = withoutUnseen(answer ?? '')
        .replace(THOUGHTS, '')
        .trim()
        .replace(FENCE, '$1')
        .trim();
      return /[\p{L}\p{N}]/u.test(text) ? text : null;
    },
    json: <Form>(promptId: string, values: Values, maxTokens: number, form: JsonForm<Form>): Promise<Form | null> =>
      nullIfUnanswerable(askFor(questionOf(promptId, values, maxTokens), form)),
    /**
     * exp(YES) / (exp(YES) + exp(NO)) of the log probabilities (Qi et al. 2024, appendix A.2); if the server returns
     * none, which is counted as unweighed, 1 or 0 by the answer's word.
     */
    async yes(promptId: string, values: Values): Promise<number | null> {
      const answer = await nullIfUnanswerable(weigh(questionOf(promptId, values, YES_TOKENS), ['YES', 'NO']));
      if (answer === null) return null;
      if (answer.shares === null) count('unweighed');
      return answer.shares?.[0] ?? Number(answer.word === 'YES');
    },
    calls: () => ({ ...calls }),
    counts,
    /** Hashes of the prompts used, by id. */
    prompts: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
    firstFailure: () => firstFailure,
    /** Takes no further questions and waits for those in progress. */
    async close() {
      isClosed = true;
      await Promise.allSettled(asked);
    },
  };
}

/** Counts by name, in the order of the names. */
export function tally() {
  const counts = new Map<string, number>();
  return {
    counts: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    count(name: string, by = 1) {
      if (by !== 0) counts.set(name, (counts.get(name) ?? 0) + by);
    },
  };
}

async function answered(ask: () => Promise<unknown>): Promise<KeptAnswer> {
  try {
    return { answer: await ask() };
  } catch (failure) {
    if (!isUnanswerable(failure)) throw failure;
    return { failure: failure.failure === 'refused' ? 'refused' : 'malformed', message: failure.message };
  }
}

function nullIfUnanswerable<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch((failure: unknown) => {
    if (isUnanswerable(failure)) return null;
    throw failure;
  });
}

/** Whether the question caused the failure, so that a retry would fail too. */
export function isUnanswerable(failure: unknown): failure is ModelCallError {
  if (!(failure instanceof ModelCallError)) return false;
  return failure.failure === 'malformed' || (failure.failure === 'refused' && !failure.isFatal);
}

/** What was given and has no fault; faults are counted by name. Null is an answer that could not be read. */
export function usable<Item>(
  given: readonly (Item | null)[],
  { count }: Pick<AskedModel, 'count'>,
  faultOf: (item: Item) => string | null,
): Item[] {
  return given.filter((item): item is Item => {
    if (item === null) return false;
    const fault = faultOf(item);
    if (fault !== null) count(fault);
    return fault === null;
  });
}

/** UTF-8 bytes of documents in a prompt for each token of the context: conservative for most scripts. */
const BYTES_PER_CONTEXT_TOKEN = 1.2;
/** Models overlook more in longer texts. */
const [MAX_PART, MAX_BEGINNINGS] = [32_000, 64_000];

/** Parts of a document that fit the context, each with the number of items to request: its share of `count`, rounded up. */
export function shownParts({ title, text }: SourceDocument, count: number, contextTokens: number) {
  const bytes = Math.min(MAX_PART, Math.floor(BYTES_PER_CONTEXT_TOKEN * contextTokens));
  const spans = windows(text, { bytes, overlapBytes: 0 });
  const parts = spans.map(({ start, end }) => text.slice(start, end));
  const total = parts.reduce((sum, part) => sum + utf8Length(part), 0);
  return parts.map((part) => ({
    shown: asData('document', title === undefined ? part : `${title}\n\n${part}`),
    asked: Math.ceil((count * utf8Length(part)) / total),
  }));
}

/** Bytes of markup around a document, and min bytes shown of one. */
const [AROUND, MIN_SHOWN] = [100, 200];

/** The beginnings of documents that fit the context, in equal shares; too many documents are sampled at even distances. */
export function beginnings(documents: readonly SourceDocument[], contextTokens: number): string {
  const bytes = Math.min(MAX_BEGINNINGS, BYTES_PER_CONTEXT_TOKEN * contextTokens);
  const count = Math.min(Math.max(1, Math.floor(bytes / (AROUND + MIN_SHOWN))), documents.length);
  const share = Math.floor(bytes / count) - AROUND;
  const shown = Array.from({ length: count }, (_, place) => documents[Math.floor((place * documents.length) / count)]);
  return shown
    .map(({ title, text }, place) => {
      const whole = title === undefined ? text : `${title}\n\n${text}`;
      const [first] = utf8Length(whole) > share ? windows(whole, { bytes: share, overlapBytes: 0 }) : [];
      return asData('document', first === undefined ? whole : `${whole.slice(0, first.end)} […]`, place + 1);
    })
    .join('\n\n');
}

/** Numbered texts, marked as data; each is one line. */
export function numbered(kind: string, items: readonly { readonly text: string }[]): string {
  return asData(kind, items.map(({ text }, place) => `${place + 1}. ${text.replace(/\s+/g, ' ')}`).join('\n'));
}

/** By its number, from 1. */
export function itemAt<Item>(items: readonly Item[], number: number): Item | undefined {
  return number >= 1 ? items[number - 1] : undefined;
}

/** Text with a number counts as one: "3", "point 3". */
export const readNumber = z.preprocess(
  (given) => (typeof given === 'string' ? Number(/\d{1,6}/.exec(given)?.[0] ?? Number.NaN) : given),
  z.int(),
);

/** Some models give a numeric answer as a number. */
export const readLine = z.preprocess((given) => {
  const text = typeof given === 'number' ? String(given) : given;
  return typeof text === 'string' ? withoutUnseen(text).replace(/\s+/gu, ' ').trim() : text;
}, z.string());

/** Skips unreadable items; fails if none is readable. */
export function readItems<Item>(item: z.ZodType<Item>) {
  return z.preprocess((given) => {
    const read = Array.isArray(given) ? given.filter((each) => item.safeParse(each).success) : [];
    return read.length === 0 ? given : read;
  }, z.array(item));
}

/** A list under a key, or bare. */
export function listForm<Item>(name: string, key: string, item: z.ZodType<Item>): JsonForm<readonly Item[]> {
  const list = readItems(item);
  const asked = z.object({ [key]: list });
  return { name, wholeItems: true, asked, schema: z.union([asked.transform((given) => given[key]), list]) };
}
