import { createInterface } from 'node:readline';
import type { DigestDeps } from '../../digest/index.ts';
import {
  askedModel,
  type BenchmarkSet,
  type Maker,
  type Making,
  type OpenCalls,
  openCalls,
  printUsage,
} from '../../lab/index.ts';
import { costOf, type LanguageModel, ModelCallError, type StageModel, stageModel } from '../../models/index.ts';
import { counted } from '../../text/index.ts';
import { UsageError } from '../command.node.ts';
import { countingLine, howToGoOn, INTERRUPTED, stopped } from '../progress.ts';
import type { CommandStreams, Context } from './command.node.ts';
import { type ProtocolOptions, type ProtocolValues, protocolOptions } from './protocol-flags.node.ts';
import { checkWritable, readSet, writeJson } from './set-file.node.ts';

export async function makeFrom(
  values: ProtocolValues,
  path: string,
  makerOf: (set: BenchmarkSet, deps: DigestDeps) => Maker,
  ...[service, streams, signal]: Context
): Promise<number> {
  const options = protocolOptions(values);
  const set = readSet(path);
  const deps = await service();
  return makeSet(makerOf(set, deps), options, deps, streams, signal);
}

/**
 * Makes and writes a set with the configured language model: estimates the cost, asks for consent, shows progress,
 * keeps every answer, and reports usage and counts.
 * @param signal stops it; the same command resumes
 * @returns the exit code
 * @throws UsageError without a model, or if nobody can be asked and `--yes` is missing
 */
export async function makeSet(
  maker: Maker,
  options: ProtocolOptions,
  { models: { model: configured, prompts }, cache }: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<number> {
  const { stdout, stderr } = streams;
  const { model, stage } = askedStage(maker.step, configured, options);
  if (options.out !== undefined) checkWritable(options.out);
  const open = await openCalls(maker, stage, prompts, cache, options);
  stderr.write(`${announced(maker.step, stage.settings.model, open, model)}\n`);
  if (open.calls > 0 && !options.yes && !(await isAgreed(streams, signal))) return signal.aborted ? INTERRUPTED : 1;
  const line = countingLine(stderr, 'asking');
  const asked = askedModel(stage, prompts, cache, {
    ...{ restart: options.restart, retry: options.retry, signal, concurrency: model.concurrency },
    onAnswer: (calls, malformed) => {
      const total = Math.max(calls, open.known + open.calls);
      line.notify(calls, total, malformed === 0 ? '' : `${malformed} unreadable`);
    },
  });
  let made: BenchmarkSet | null;
  try {
    made = await maker.make(asked);
  } catch (failure) {
    line.end();
    if (signal.aborted) stderr.write('Waiting for the answers under way; Ctrl-C again ends at once.\n');
    await asked.close();
    if (!(failure instanceof ModelCallError)) throw failure;
    if (signal.aborted) return stopped(stderr, 'answered', options.restart);
    stderr.write(`The language model failed: ${failure.message} ${howToGoOn('answered', options.restart)}\n`);
    return 1;
  }
  line.end();
  const { known, ...calls } = asked.calls();
  const counts = { ...asked.counts(), ...calls };
  const failure = asked.firstFailure();
  const notes = [
    ...[printCounts({ ...counts, known }), printUsage(stage.usage())],
    failure !== null && `The first question without an answer (--retry asks once more): ${failure}`,
    made === null && 'Nothing was made, so nothing is written: try --retry, --restart, or another --seed or --model.',
  ];
  stderr.write(`${notes.filter(Boolean).join('\n')}\n`);
  if (made === null) return 1;
  const making = {
    ...{ step: maker.step, version: maker.version, seed: options.seed, model: asked.settings },
    ...{ prompts: asked.prompts(), options: { ...maker.options, context: asked.contextTokens }, counts },
  };
  writeJson(options.out, { ...made, made: [...made.made, making] }, stdout);
  return 0;
}

/** The model that a command asks. @throws UsageError without one, or without a name */
export function askedStage(
  step: string,
  model: LanguageModel | null,
  { model: named, seed }: Pick<ProtocolOptions, 'model' | 'seed'>,
): { readonly model: LanguageModel; readonly stage: StageModel } {
  if (model === null) {
    throw new UsageError(
      `benchmark ${step} needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server.`,
    );
  }
  const name = named ?? model.defaultModel;
  if (name === null) throw new UsageError('Say which model to ask: --model NAME, or TESSERA_MODEL.');
  return { model, stage: stageModel(model, { model: name, temperature: 0, topP: null, seed }) };
}

/** A line for each count that is not 0: "short documents: 3". */
export function printCounts(counts: Making['counts']): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${count}`)
    .join('\n');
}

export function announced(
  step: string,
  name: string,
  { calls, promptTokens, completionTokens, known }: OpenCalls,
  { priceOf }: Pick<LanguageModel, 'priceOf'>,
): string {
  const before = known === 0 ? '' : `; ${known} were answered before and are not asked again`;
  if (calls === 0) return `benchmark ${step}: nothing to ask${before}.`;
  const cost = costOf(priceOf?.(name), promptTokens, completionTokens);
  const price = cost === null ? 'at no known price (TESSERA_MODEL_PRICES)' : `at a cost of about ${cost.toFixed(4)}`;
  return `benchmark ${step}: about ${counted(calls, 'call')} of ${name}, ${promptTokens} + ${completionTokens} tokens, ${price}${before}.`;
}

/** The end of the input is a no. @throws UsageError if nobody can be asked */
export async function isAgreed({ stdin, stderr }: CommandStreams, signal: AbortSignal): Promise<boolean> {
  if (stdin.isTTY !== true) throw new UsageError('Nothing was asked yet: say --yes to go on without being asked.');
  stderr.write('Go on? [y/N] ');
  const lines = createInterface({ input: stdin, signal });
  try {
    for await (const answer of lines) return /^\s*y(?:es)?\s*$/i.test(answer);
    return false;
  } finally {
    lines.close(); // a terminal that is still read keeps the process alive
  }
}
