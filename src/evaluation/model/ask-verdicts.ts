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
import { contentHash, quoteAligner, utf8Length, windows, wordOverlap, wordSet } from '../../text/index.ts';

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

/** Part of cache keys and records: raise the number with every change of verdicts. */
export const MODEL_JUDGE_VERSION = 'llm-judge@1';

export interface Verdict {
  readonly unfounded?: boolean;
  readonly unreadable?: boolean;
}

interface UnitKey {
  readonly purpose: JudgePurpose;
  readonly hashes: readonly string[];
}

export interface Unit<Answer, Judged extends Verdict> extends UnitKey {
  readonly values: () => Readonly<Record<string, string>>;
  readonly form: JsonForm<Answer>;
  readonly maxTokens: number;
  readonly read: (answer: Answer) => Judged;
  readonly none: Judged;
}

export interface VerdictAsker {
  room(purpose: JudgePurpose): number;
  /** Loads stored verdicts for many units at once; without it every unit goes to the model. */
  lookUp(units: readonly UnitKey[]): Promise<void>;
  /** @throws ModelCallError */
  ask<Answer, Judged extends Verdict>(unit: Unit<Answer, Judged>): Promise<Judged>;
  /** Runs jobs concurrently. A failure aborts all calls and starts no more; stored verdicts remain. */
  all<T>(jobs: readonly (() => Promise<T>)[]): Promise<T[]>;
  reused(): number;
  unfounded(): number;
  unreadable(): number;
}

/** Maximum number of concurrent jobs of an evaluation, so that others get their turn. */
const AT_ONCE = 16;
/** Models overlook more in longer texts. */
const MAX_ROOM = 32_000;
const MIN_ROOM = 400;

/**
 * @param end aborts the calls in progress
 * @param countsUnreadable whether an unreadable answer counts without credit instead of failing
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
  /** Keys of stored unreadable verdicts, which an answer replaces. */
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
    await cache.saveJudgements([{ key, kind: purpose, verdict }]);
    return verdict;
  }

  return {
    room(purpose) {
      const { system, user } = promptOf(purpose);
      // Some scripts have two bytes per token; the rest of the prompt and the answer need room as well.
      const bytes = 2 * model.contextTokens - utf8Length(system) - utf8Length(user);
      return Math.min(MAX_ROOM, Math.max(MIN_ROOM, bytes));
    },
    async lookUp(units) {
      const keys = [...new Set(units.map(keyOf))].filter((key) => !given.has(key) && !known.has(key));
      for (const [key, verdict] of await cache.readJudgements(keys)) {
        // Only callers that count unreadable verdicts reuse them; others ask again.
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

export interface Piece {
  readonly text: string;
  readonly hash: string;
  readonly words: ReadonlySet<string>;
}

const OVERLAP = 0.1;

/** Splits a text between sentences into parts of limited UTF-8 size; an empty text gives no parts. */
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

export function byHash(a: { readonly hash: string }, b: { readonly hash: string }): number {
  return a.hash < b.hash ? -1 : Number(a.hash > b.hash);
}

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

const FENCE_BYTES = 100;

/** The exact words of a text that a model quoted; null if missing. */
export function evidenceIn(text: string, quote: string): string | null {
  const spans = quoteAligner(text).align(quote)?.spans ?? [];
  const end = spans.at(-1)?.end;
  return end === undefined ? null : text.slice(spans[0].start, end);
}
