import pLimit from 'p-limit';
import {
  asData,
  type JsonForm,
  ModelCallError,
  type Prompt,
  type PromptPurpose,
  type StageModel,
  type WorkCache,
  withoutUnseen,
} from '../../models/index.ts';
import {
  contentHash,
  groups,
  quoteAligner,
  sortedBy,
  utf8Length,
  windows,
  wordOverlap,
  wordSet,
} from '../../text/index.ts';

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

export interface Flags {
  /** The model quoted words that the text does not hold. */
  readonly unfounded?: boolean;
  readonly unreadable?: boolean;
}

/** One question to the model. */
export interface Unit<Answer, Verdict> {
  readonly purpose: JudgePurpose;
  /** What is shown, by the variables of the prompt: a text, or texts that are numbered. */
  readonly data: Readonly<Record<string, string | readonly string[]>>;
  readonly form: JsonForm<Answer>;
  readonly maxTokens: number;
  readonly read: (answer: Answer) => Verdict & Flags;
  /** The verdict of an answer that cannot be read. */
  readonly none: NoInfer<Verdict>;
}

export type VerdictAsker = ReturnType<typeof verdictAsker>;

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
) {
  const limit = pLimit(AT_ONCE);
  const known = new Map<string, string>();
  const given = new Map<string, Promise<string>>();
  const failures: unknown[] = [];
  /** Keys of stored unreadable verdicts, which an answer replaces. */
  const unread = new Set<string>();
  const counts = { reused: 0, unfounded: 0, unreadable: 0 };

  type Key = Pick<Unit<unknown, unknown>, 'purpose' | 'data'>;
  const keyOf = ({ purpose, data }: Key): string => {
    const hashes = Object.values(data).flat().map(contentHash);
    return contentHash(JSON.stringify([MODEL_JUDGE_VERSION, purpose, promptOf(purpose).hash, model.settings, hashes]));
  };

  async function lookUp(units: readonly Key[]): Promise<void> {
    const keys = [...new Set(units.map(keyOf))].filter((key) => !given.has(key) && !known.has(key));
    for (const [key, verdict] of await cache.readJudgements(keys)) {
      // Only callers that count unreadable verdicts reuse them; others ask again.
      if (countsUnreadable || JSON.parse(verdict).unreadable !== true) known.set(key, verdict);
      else unread.add(key);
    }
  }

  async function verdictOf<Answer, Verdict>(unit: Unit<Answer, Verdict>, key: string): Promise<string> {
    const stored = known.get(key);
    if (stored !== undefined) {
      counts.reused++;
      return stored;
    }
    const { purpose, maxTokens, form, read, none } = unit;
    const answer = model.askFor({ prompt: promptOf(purpose), values: valuesOf(unit), maxTokens }, form);
    const judged = await answer.then(read, (failure: unknown) => {
      const isUnreadable = failure instanceof ModelCallError && failure.failure === 'malformed';
      if (!isUnreadable || !countsUnreadable) throw failure;
      return { ...none, unreadable: true };
    });
    const verdict = JSON.stringify(judged);
    if (unread.has(key)) await cache.deleteJudgements({ kind: purpose, keys: [key] });
    await cache.saveJudgements([{ key, kind: purpose, verdict }]);
    return verdict;
  }

  async function ask<Answer, Verdict>(unit: Unit<Answer, Verdict>): Promise<Verdict> {
    const key = keyOf(unit);
    const before = given.get(key);
    const verdict = before ?? verdictOf(unit, key);
    if (before === undefined) given.set(key, verdict);
    // The key names the kind of unit and the version, so that its verdict has this type.
    const read = JSON.parse(await verdict);
    if (before === undefined) {
      counts.unfounded += Number(read.unfounded === true);
      counts.unreadable += Number(read.unreadable === true);
    }
    return read;
  }

  return {
    /** Bytes of text that fit beside a prompt. */
    room(purpose: JudgePurpose): number {
      const { system, user } = promptOf(purpose);
      // Some scripts have two bytes per token; the rest of the prompt and the answer need room as well.
      const bytes = 2 * model.contextTokens - utf8Length(system) - utf8Length(user);
      return Math.min(MAX_ROOM, Math.max(MIN_ROOM, bytes));
    },
    /**
     * Asks the units of each list in turn until a verdict is final, the lists concurrently; stored verdicts are reused. A
     * failure aborts all calls and starts no more.
     * @returns the verdicts of each list up to the final one
     * @throws ModelCallError
     */
    async judge<Answer, Verdict>(
      lists: readonly (readonly Unit<Answer, Verdict>[])[],
      isFinal: (verdict: Verdict) => boolean = () => false,
    ): Promise<Verdict[][]> {
      await lookUp(lists.flat());
      const run = async (list: readonly Unit<Answer, Verdict>[]): Promise<Verdict[]> => {
        const verdicts: Verdict[] = [];
        try {
          for (const unit of list) {
            if (failures.length > 0) break;
            const verdict = await ask(unit);
            verdicts.push(verdict);
            if (isFinal(verdict)) break;
          }
        } catch (failure) {
          failures.push(failure);
          end();
        }
        return verdicts;
      };
      const done = await Promise.all(lists.map((list) => limit(() => run(list))));
      if (failures.length > 0) throw failures[0];
      return done;
    },
    counts: (): Readonly<typeof counts> => counts,
  };
}

function valuesOf({ purpose, data }: Pick<Unit<unknown, unknown>, 'purpose' | 'data'>): Record<string, string> {
  const shown = Object.entries(data).map(([name, value]) => {
    if (typeof value !== 'string')
      return [name, value.map((text, i) => asData(name.replace(/s$/, ''), text, i + 1)).join('\n')];
    return [name, asData(purpose === 'judge-answered' && name === 'answer' ? 'expected answer' : name, value)];
  });
  return Object.fromEntries(shown);
}

/** A part of a text that is shown whole. */
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

/** Distinct pieces, those that share most words with a query first. */
export function nearestFirst<P extends Piece>(query: string, all: readonly P[]): P[] {
  const first = new Map([...all].reverse().map((piece) => [piece.hash, piece]));
  const distinct = sortedBy([...first.values()], ({ hash }) => hash);
  const overlap = wordOverlap(
    wordSet(query),
    distinct.map(({ words }) => words),
  );
  return distinct
    .map((piece, i) => ({ piece, overlap: overlap[i] }))
    .sort((a, b) => b.overlap - a.overlap)
    .map(({ piece }) => piece);
}

/** Bytes of the lines around a text that mark it as data. */
const FENCE_BYTES = 100;

export function packed<T extends { readonly text: string }>(items: readonly T[], bytes: number): T[][] {
  return [...groups(items, bytes, ({ text }) => utf8Length(text) + FENCE_BYTES)];
}

/** The exact words of a text that a model quoted; null if missing. */
export function evidenceIn(text: string, quote: string): string | null {
  const spans = quoteAligner(text).align(quote)?.spans ?? [];
  const end = spans.at(-1)?.end;
  return end === undefined ? null : text.slice(spans[0].start, end);
}
