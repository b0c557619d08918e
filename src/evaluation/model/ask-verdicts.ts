import pLimit from 'p-limit';
import type { PromptPurpose } from '../../models/index.ts';
import {
  type JsonForm,
  ModelCallError,
  type Prompt,
  type StageModel,
  type WorkCache,
  withoutUnseen,
} from '../../models/index.ts';
import { wordOverlap, wordSet } from '../../selection/index.ts';
import { contentHash, quoteAligner, utf8Length, windows } from '../../text/index.ts';

/** What a judge asks; each has a prompt of the same name. */
export const JUDGE_PURPOSES = [
  'judge-coverage',
  'judge-entailment',
  'judge-key-points',
  'judge-kind',
  'judge-reported',
  'judge-answered',
  'judge-relevance',
] as const satisfies readonly PromptPurpose[];
export type JudgePurpose = (typeof JUDGE_PURPOSES)[number];

/** Names these rules in cache keys and records: raise the number with every change of verdicts. */
export const MODEL_JUDGE_VERSION = 'llm-judge@1';

/** What is kept of an answer, as JSON. */
export interface Verdict {
  /** Whether the model said yes and could not show the words for it, which counts as no. */
  readonly unfounded?: boolean;
  /** Whether no answer could be read, and this is what stands in for it. */
  readonly unreadable?: boolean;
}

/** What a verdict depends on, beside the model and the prompt. */
interface UnitKey {
  readonly purpose: JudgePurpose;
  /** Hashes of all texts that are shown, in their order. */
  readonly hashes: readonly string[];
}

/** One thing to judge: one call. */
export interface Unit<Answer, Judged extends Verdict> extends UnitKey {
  readonly values: () => Readonly<Record<string, string>>;
  readonly form: JsonForm<Answer>;
  readonly maxTokens: number;
  readonly read: (answer: Answer) => Judged;
  /** What counts where no answer can be read: the one that credits nothing. */
  readonly none: Judged;
}

/** Gets verdicts: from the store where they were given before, from the model where not. */
export interface VerdictAsker {
  /** UTF-8 bytes of one text that fit into a question; more is read in parts. */
  room(purpose: JudgePurpose): number;
  /** Reads what was judged before, for many units at once; whoever asks without it asks the model. */
  lookUp(units: readonly UnitKey[]): Promise<void>;
  /** @throws ModelCallError */
  ask<Answer, Judged extends Verdict>(unit: Unit<Answer, Judged>): Promise<Judged>;
  /** Does jobs side by side. Where one fails all calls end, and none is made any more; what was judged is kept. */
  all<T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]>;
  /** Units whose verdict was in the store. */
  reused(): number;
  /** Units with a yes that shows no words of the text. */
  unfounded(): number;
  /** Units whose answer could not be read, and which credit nothing; 0 unless that is wanted. */
  unreadable(): number;
}

/** Jobs of one evaluation at once: those of others come in between. */
const AT_ONCE = 16;
/** In longer texts models overlook more. */
const MAX_ROOM = 32_000;
const MIN_ROOM = 400;

/**
 * @param end ends the calls under way
 * @param countsUnreadable whether a unit whose answer cannot be read credits nothing and is counted, in the place of a failure
 */
export function verdictAsker(
  model: StageModel,
  promptOf: (purpose: JudgePurpose) => Prompt,
  cache: WorkCache,
  end: () => void,
  countsUnreadable = false,
): VerdictAsker {
  const limit = pLimit(AT_ONCE);
  const known = new Map<string, string>();
  const given = new Map<string, Promise<string>>();
  const failures: unknown[] = [];
  /** Keys under which a verdict is kept that nobody could read, whose place an answer takes. */
  const unread = new Set<string>();
  let [reused, unfounded, unreadable] = [0, 0, 0];

  const keyOf = ({ purpose, hashes }: UnitKey): string =>
    contentHash(JSON.stringify([MODEL_JUDGE_VERSION, purpose, promptOf(purpose).hash, model.settings, hashes]));

  async function judge<Answer, Judged extends Verdict>(unit: Unit<Answer, Judged>, key: string): Promise<string> {
    const stored = known.get(key);
    if (stored !== undefined) {
      reused++;
      return stored;
    }
    const { purpose, values, maxTokens, form, read, none } = unit;
    const asked = model.askFor({ prompt: promptOf(purpose), values: values(), maxTokens }, form);
    const judged = await asked.then(read, (failure: unknown) => {
      const isUnreadable = failure instanceof ModelCallError && failure.failure === 'malformed';
      if (!isUnreadable || !countsUnreadable) throw failure;
      return { ...none, unreadable: true };
    });
    const verdict = JSON.stringify(judged);
    if (unread.has(key)) await cache.deleteJudgements({ kind: purpose, keys: [key] });
    // Kept at once, so that what is judged is not lost with what fails.
    await cache.saveJudgements([{ key, kind: purpose, verdict }]);
    return verdict;
  }

  return {
    room(purpose) {
      const { system, user } = promptOf(purpose);
      // A token is two bytes in some scripts; what else is shown, and the answer, need room as well.
      const bytes = 2 * model.contextTokens - utf8Length(system) - utf8Length(user);
      return Math.min(MAX_ROOM, Math.max(MIN_ROOM, bytes));
    },
    async lookUp(units) {
      const keys = [...new Set(units.map(keyOf))].filter((key) => !given.has(key) && !known.has(key));
      for (const [key, verdict] of await cache.readJudgements(keys)) {
        // Kept by whoever counts them: for others there is no answer yet.
        const isUnreadable = JSON.parse(verdict).unreadable === true;
        if (countsUnreadable || !isUnreadable) known.set(key, verdict);
        else unread.add(key);
      }
    },
    async ask(unit) {
      const key = keyOf(unit);
      const before = given.get(key);
      const verdict = before ?? judge(unit, key);
      if (before === undefined) given.set(key, verdict);
      // The key names the kind of unit and the version, so that its verdict has this type.
      const read = JSON.parse(await verdict);
      if (before === undefined && read.unfounded === true) unfounded++;
      if (before === undefined && read.unreadable === true) unreadable++;
      return read;
    },
    async all(jobs) {
      const run = async <T>(job: () => Promise<T>): Promise<T[]> => {
        if (failures.length > 0) return [];
        try {
          return [await job()];
        } catch (failure) {
          failures.push(failure);
          end();
          return [];
        }
      };
      const done = await Promise.all(jobs.map((job) => limit(() => run(job))));
      if (failures.length > 0) throw failures[0];
      return done.flat();
    },
    reused: () => reused,
    unfounded: () => unfounded,
    unreadable: () => unreadable,
  };
}

/** A text, or the part of one that fits into a question. */
export interface Piece {
  readonly text: string;
  readonly hash: string;
  readonly words: ReadonlySet<string>;
}

const OVERLAP = 0.1;

/** A text in parts of at most so many UTF-8 bytes, cut between sentences; none of which a model would see nothing. */
export function pieces(text: string, bytes: number): Piece[] {
  const spans =
    utf8Length(text) <= bytes
      ? [{ start: 0, end: text.length }]
      : windows(text, { bytes, overlapBytes: Math.floor(OVERLAP * bytes) });
  return spans
    .map(({ start, end }) => text.slice(start, end))
    .filter((part) => withoutUnseen(part).trim() !== '')
    .map((part) => ({ text: part, hash: contentHash(part), words: wordSet(part) }));
}

/** Distinct pieces, those that share most with a query first, equals in the order of their hashes. */
export function nearestFirst(query: string, all: readonly Piece[]): Piece[] {
  const distinct = [...new Map(all.map((piece) => [piece.hash, piece])).values()].sort(byHash);
  const overlap = wordOverlap(
    wordSet(query),
    distinct.map(({ words }) => words),
  );
  return distinct
    .map((piece, i) => ({ piece, overlap: overlap[i] }))
    .sort((a, b) => b.overlap - a.overlap)
    .map(({ piece }) => piece);
}

/** The order in which texts are shown, whatever the order in which they came. */
export function byHash(a: { readonly hash: string }, b: { readonly hash: string }): number {
  return a.hash < b.hash ? -1 : Number(a.hash > b.hash);
}

/** Lists as long as fit into so many UTF-8 bytes, in order; what is larger alone stands alone. */
export function packed<T extends { readonly text: string }>(items: readonly T[], bytes: number): T[][] {
  const lists: T[][] = [];
  let left = 0;
  for (const item of items) {
    const size = utf8Length(item.text) + FENCE_BYTES;
    const last = lists.at(-1);
    if (last === undefined || size > left) {
      lists.push([item]);
      left = bytes - size;
    } else {
      last.push(item);
      left -= size;
    }
  }
  return lists;
}

/** What the lines around a text take. */
const FENCE_BYTES = 100;

/** The words of a text that a model quoted, as they stand there; null if they do not. */
export function evidenceIn(text: string, quote: string): string | null {
  const spans = quoteAligner(text).align(quote)?.spans ?? [];
  const end = spans.at(-1)?.end;
  return end === undefined ? null : text.slice(spans[0].start, end);
}
