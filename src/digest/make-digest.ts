import type { Digest } from '../contract/index.ts';
import { lazy, nextTurn, utf8Length } from '../text/index.ts';
import { assemble } from './assemble.ts';
import { extract, type Reading } from './extract/extract.ts';
import { canScan, checkPoints, scanDocuments, withTexts } from './extract/scan-documents.ts';
import { extractNaively } from './naive.ts';
import { type Plan, planDigest } from './plan.ts';
import { grade } from './rank/grade.ts';
import { inLanguageOf, isForeign } from './rank/query.ts';
import { rank } from './rank/rank-points.ts';
import { type Question, type Split, splitIntent, translateIntent } from './rank/split-intent.ts';
import type { HashedDocument, RequestDocument, ResolvedRequest } from './request.ts';
import { type DigestDeps, type DigestListeners, type Run, type RunOptions, startRun } from './run.ts';
import { select } from './select/select.ts';
import { write } from './write.ts';

export interface MadeDigest {
  readonly digest: Digest;
  readonly sources: readonly { readonly documentId: string; readonly documentHash: string }[];
}

/**
 * Makes a digest: documents -> key points -> encodings -> relevance and gate -> kernel and selection -> cited summary. Computes in
 * canonical order, so that the order of documents does not matter (promise P5), except to language models.
 * @throws TesseraError if the request cannot be served
 */
export async function makeDigest(
  { documents: given, stored = [], storedPoints = 0, experiment, ...request }: ResolvedRequest,
  deps: DigestDeps,
  options: RunOptions = {},
  signal?: AbortSignal,
): Promise<MadeDigest> {
  const documents = lazy(async () => [...given, ...(await withTexts(stored, deps))]);
  const ofCollection = given.length === 0 && stored.length > 0 ? planDigest(request, deps, signal) : null;
  const scanning =
    ofCollection !== null && ofCollection.writer === null && canScan(ofCollection, storedPoints) ? ofCollection : null;
  if (scanning !== null) checkPoints(storedPoints, deps.maxPoints ?? Number.POSITIVE_INFINITY);
  const plan = scanning ?? planDigest({ ...request, documentBytes: bytesOf(await documents()) }, deps, signal);
  const run = startRun(deps, plan.stages, signal, options);

  const split = await splitIntent(run, plan);
  const read = async (): Promise<[Reading, Question]> => {
    const reading =
      plan.naive === null
        ? await extract(run, plan, await documents(), split.asked)
        : await extractNaively(run, plan, plan.naive, await documents(), split.asked);
    return [reading, await translateIntent(run, plan, split, reading)];
  };
  const [reading, question] = (scanning && (await scanned(run, scanning, stored, split))) ?? (await read());

  const ranking = await grade(run, plan, reading, question, await rank(run, plan, reading, question));
  run.progress('rank', 1, 1);
  const selected = await select(run, plan, reading, question, ranking);
  run.progress('select', 1, 1);
  const written = await write(run, plan, reading, question, ranking, selected);
  run.progress('write', 1, 1);

  await nextTurn(); // with many thousand key points each of the next steps takes a while
  const digest = assemble(run, plan, question, reading, ranking, selected, written);
  const told = new Set(reading.points.map(({ documentIndex }) => documentIndex));
  const sources = reading.documents
    .filter(({ status }, index) => status === 'ok' && told.has(index))
    .map(({ document, hash }) => ({ documentId: document.id, documentHash: hash }));
  return { digest: { ...digest, experiment: experimentAnswer(experiment) }, sources };
}

function bytesOf(documents: readonly RequestDocument[]): number {
  return documents.reduce((sum, { text }) => sum + utf8Length(text), 0);
}

/** Null if the question turns out to be in a language that the encoder does not know, so that words decide. */
async function scanned(
  run: Run,
  plan: Plan,
  stored: readonly HashedDocument[],
  split: Split,
): Promise<[Reading, Question] | null> {
  const reading = await scanDocuments(run, plan, stored, split.asked);
  const { language } = inLanguageOf(split.asked, reading.documents);
  if (isForeign(language, plan.options.relevanceEncoder)) return null;
  return [reading, await translateIntent(run, plan, split, reading)];
}

function experimentAnswer(experiment: ResolvedRequest['experiment']): Digest['experiment'] {
  if (experiment === undefined) return null;
  const { key, version, variant, overridden } = experiment;
  return { key, version, variant, overridden };
}

/** @throws TesseraError if the request cannot be served */
export async function createDigest(
  request: ResolvedRequest,
  deps: DigestDeps,
  listeners: DigestListeners = {},
  signal?: AbortSignal,
): Promise<Digest> {
  const { digest } = await makeDigest(request, deps, listeners, signal);
  signal?.throwIfAborted();
  return digest;
}
