import { z } from 'zod';
import type { TypeOf } from '../../contract/index.ts';
import { createDigest, type DigestDeps } from '../../digest/index.ts';
import { asData, BYTES_PER_TOKEN, ModelCallError } from '../../models/index.ts';
import { contentHash, groupBy, type SourceDocument, sortedBy } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, Collection } from '../benchmark-set.ts';
import { type AskedModel, readLine } from '../makers/asked-model.ts';
import { printTable } from '../report/report.ts';
import { estimateMean } from '../results/estimate.ts';
import { retrieve } from '../retrieval/retrieve.ts';

/** Two answers to the question of a case, by the sides on which readers see them. */
export interface Sheet {
  readonly id: string;
  readonly question: string;
  readonly a: string;
  readonly b: string;
}

const grade = z.coerce.number().pipe(z.int().min(1).max(5));
export const verdictSchema = z.object({ id: z.string(), a: grade, b: grade, preferred: z.enum(['A', 'B']) });
export type Verdict = TypeOf<typeof verdictSchema>;

const VERDICT = {
  name: 'verdict',
  schema: verdictSchema.omit({ id: true }).extend({ why: readLine }),
};

/** Share of the context for documents, in one prompt as in the digest. */
const SHARE = 0.5;
const TOKENS_PER_WORD = 4;
const VERDICT_TOKENS = 300;

interface PanelCase {
  readonly benchmarkCase: BenchmarkCase & { readonly intent: string };
  readonly collection: Collection;
}

/** The cases of a set that ask a question. */
export function panelCases({ cases, collections }: BenchmarkSet): PanelCase[] {
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  return cases.flatMap(({ intent, ...rest }) => {
    const collection = byId.get(rest.collection);
    return intent === undefined || collection === undefined ? [] : [{ benchmarkCase: { ...rest, intent }, collection }];
  });
}

/** Whether side A has the digest; by the hash of the case, so that no key to the sheets need be kept. */
function isDigestFirst(id: string, seed: number): boolean {
  return Number.parseInt(contentHash(`${seed}\n${id}`).slice(0, 8), 16) % 2 === 0;
}

/**
 * Answers each case by a digest and by one plain prompt of the same model over the same documents, or over the nearest that fit its
 * context, and hides which is which. In the order of the hashes; cases without both texts are left out and counted.
 */
export async function makeSheets(
  cases: readonly PanelCase[],
  { words, seed }: { readonly words: number; readonly seed: number },
  model: AskedModel,
  deps: DigestDeps,
  signal: AbortSignal,
): Promise<Sheet[]> {
  const made = await Promise.all(
    cases.map(async ({ benchmarkCase, collection }): Promise<Sheet[]> => {
      const { id, intent } = benchmarkCase;
      const budget = Math.floor(SHARE * model.contextTokens);
      const shown = await retrieve(collection, benchmarkCase, { by: 'embedding', budget }, deps);
      const values = { question: asData('question', intent), documents: shownText(shown), words: String(words) };
      const engine = { extractor: 'auto', writer: 'llm', model: model.settings.model } as const;
      const request = { documents: collection.documents, intent, engine, summary: { maxWords: words } };
      const [plain, digest] = await Promise.all([
        model.text('benchmark-plain', values, TOKENS_PER_WORD * words).catch(nullIfFailed),
        createDigest(request, deps, {}, signal),
      ]);
      if (plain === null || digest.status !== 'completed') {
        model.count('casesWithoutBoth');
        return [];
      }
      const texts = [digest.summary.text, plain];
      const [a, b] = isDigestFirst(id, seed) ? texts : texts.toReversed();
      return [{ id, question: intent, a, b }];
    }),
  );
  return sortedBy(made.flat(), ({ id }) => contentHash(`${seed}\n${id}`));
}

/** One failed call sinks no other case. */
function nullIfFailed(failure: unknown): null {
  if (failure instanceof ModelCallError) return null;
  throw failure;
}

/** Has a model grade sheets, with as many of the documents as fit. Unreadable verdicts are left out. */
export async function judgeSheets(
  sheets: readonly Sheet[],
  cases: readonly PanelCase[],
  model: AskedModel,
  deps: DigestDeps,
): Promise<Verdict[]> {
  const byId = new Map(cases.map((each) => [each.benchmarkCase.id, each]));
  const verdicts = await Promise.all(
    sheets.map(async ({ id, question, a, b }) => {
      const found = byId.get(id);
      if (found === undefined) return [];
      const texts = Math.ceil((a.length + b.length) / BYTES_PER_TOKEN);
      const budget = Math.max(1, Math.floor(SHARE * model.contextTokens) - texts);
      const shown = await retrieve(found.collection, found.benchmarkCase, { by: 'embedding', budget }, deps);
      const values = {
        ...{ question: asData('question', question), documents: shownText(shown) },
        ...{ a: asData('text A', a), b: asData('text B', b) },
      };
      const verdict = await model.json('benchmark-panel', values, VERDICT_TOKENS, VERDICT);
      return verdict === null ? [] : [{ ...verdict, id }];
    }),
  );
  return verdicts.flat();
}

function shownText(documents: readonly SourceDocument[]): string {
  return documents
    .map(({ title, text }, place) => asData('document', title === undefined ? text : `${title}\n\n${text}`, place + 1))
    .join('\n\n');
}

/** Wins and grades of the digests, with 95% bootstrap intervals over cases, by domain and in all. */
export function printPanel(verdicts: readonly Verdict[], { cases }: BenchmarkSet, seed: number): string {
  const domains = new Map(cases.map(({ id, domain = '–' }) => [id, domain]));
  const read = verdicts.flatMap(({ id, a, b, preferred }) => {
    const domain = domains.get(id);
    const isFirst = isDigestFirst(id, seed);
    const [digest, plain] = isFirst ? [a, b] : [b, a];
    return domain === undefined ? [] : [{ id, domain, digest, plain, won: (preferred === 'A') === isFirst ? 100 : 0 }];
  });
  const rowOf = (name: string, some: typeof read) => {
    const ids = some.map(({ id }) => id);
    const cell = (digits: number, of: (each: (typeof read)[number]) => number) => ({
      estimate: estimateMean(some.map(of), ids),
      digits,
    });
    return [
      name,
      some.length,
      cell(0, ({ won }) => won),
      cell(2, ({ digest }) => digest),
      cell(2, ({ plain }) => plain),
      cell(2, ({ digest, plain }) => digest - plain),
    ];
  };
  const kinds = [...groupBy(read, ({ domain }) => domain)].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = kinds.map(([kind, some]) => rowOf(kind, some));
  return printTable({
    title: 'Digests against one plain prompt, read blind; 95% intervals by drawing cases',
    heads: ['kind', 'n', 'preferred, %', 'grade', 'grade, plain', 'difference'],
    rows: kinds.length > 1 ? [...rows, rowOf('together', read)] : rows,
  });
}
