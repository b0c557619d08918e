import type { Digest } from '../contract/index.ts';
import { nextTurn, utf8Length } from '../text/index.ts';
import { assemble } from './assemble.ts';
import { extract } from './extract/extract.ts';
import { extractNaively } from './naive.ts';
import { planDigest } from './plan.ts';
import { grade } from './rank/grade.ts';
import { rank } from './rank/rank-points.ts';
import { splitIntent, translateIntent } from './rank/split-intent.ts';
import type { ResolvedRequest } from './request.ts';
import { type DigestDeps, type DigestListeners, type RunOptions, startRun } from './run.ts';
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
  { documents, experiment, ...request }: ResolvedRequest,
  deps: DigestDeps,
  options: RunOptions = {},
  signal?: AbortSignal,
): Promise<MadeDigest> {
  const documentBytes = documents.reduce((sum, { text }) => sum + utf8Length(text), 0);
  const plan = planDigest({ ...request, documentBytes }, deps, signal);
  const run = startRun(deps, plan.stages, signal, options);

  const split = await splitIntent(run, plan);
  const reading =
    plan.naive === null
      ? await extract(run, plan, documents, split.asked)
      : await extractNaively(run, plan, plan.naive, documents, split.asked);
  const question = await translateIntent(run, plan, split, reading);

  const ranking = await grade(run, plan, reading, question, await rank(run, plan, reading, question));
  run.progress('rank', 1, 1);
  const selected = await select(run, plan, reading, question, ranking);
  run.progress('select', 1, 1);
  const written = await write(run, plan, reading, question, ranking, selected);
  run.progress('write', 1, 1);

  await nextTurn(); // with many thousand key points each of the next steps takes a while
  const digest = assemble(run, plan, question, reading, ranking, selected, written);
  const sources = reading.documents
    .filter(({ status }) => status === 'ok')
    .map(({ document, hash }) => ({ documentId: document.id, documentHash: hash }));
  return { digest: { ...digest, experiment: experimentAnswer(experiment) }, sources };
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
