import { createInterface } from 'node:readline/promises';
import type { DigestDeps } from '../../digest/index.ts';
import {
  type AskedModel,
  askedModel,
  type BenchmarkSet,
  type MadeSet,
  type Maker,
  type Making,
  type OpenCalls,
  openCalls,
  printUsage,
} from '../../lab/index.ts';
import { costOf, ModelCallError, type StageModel, stageModel } from '../../models/index.ts';
import { onlyPositional, parseFlags, UsageError } from '../command.node.ts';
import { INTERRUPTED } from '../run-notes.node.ts';
import { countingLine } from '../with-progress.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, type ProtocolOptions, protocolOptions } from './protocol-flags.node.ts';
import { checkWritable, readSet, writeJson } from './set-file.node.ts';

interface MakerCommand<Flag extends string> extends Pick<BenchmarkCommand, 'summary' | 'usage' | 'examples'> {
  readonly flags: readonly Flag[];
  /** Checks the flags; the maker is made once the service has started. */
  readonly makerOf: (
    given: (flag: Flag) => string | undefined,
  ) => (set: BenchmarkSet, deps: DigestDeps) => Maker<unknown>;
}

export function makerCommand<Flag extends string>(command: MakerCommand<Flag>): BenchmarkCommand {
  const { summary, usage, examples, flags, makerOf } = command;
  const own = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' } as const]));
  return {
    summary,
    usage: `SET ${usage}${PROTOCOL_USAGE}`,
    examples,
    async run(args, service, streams, signal) {
      const { values, positionals } = parseFlags(args, { ...own, ...PROTOCOL_FLAGS });
      const path = onlyPositional(positionals, 'the file of a benchmark set');
      const options = protocolOptions(values);
      const all: Readonly<Record<string, unknown>> = values;
      const prepared = makerOf((flag) => (typeof all[flag] === 'string' ? all[flag] : undefined));
      const set = readSet(path);
      const deps = await service();
      const { code } = await makeSet(prepared(set, deps), options, deps, streams, signal);
      return code;
    },
  };
}

export function contextTokensOf({ models: { model } }: DigestDeps): number {
  return model?.contextTokens ?? 0;
}

type MadeAnswers<Answers> = { readonly code: number; readonly answers?: Answers };

/**
 * Makes and writes a set with the configured language model: estimates the cost, asks for consent, shows progress,
 * keeps every answer, and reports usage and unreadable answers.
 * @param signal stops it; the same command resumes
 * @throws UsageError without a model, or if nobody can be asked and `--yes` is missing
 */
export async function makeSet<Answers>(
  maker: Maker<Answers>,
  options: ProtocolOptions,
  { models: { model, prompts }, cache }: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<MadeAnswers<Answers>> {
  const { stdout, stderr } = streams;
  if (model === null) {
    throw new UsageError(
      `benchmark ${maker.step} needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server.`,
    );
  }
  const name = options.model ?? model.defaultModel;
  if (name === null) throw new UsageError('Say which model to ask: --model NAME, or TESSERA_MODEL.');
  if (options.out !== undefined) checkWritable(options.out);
  const stage = stageModel(model, { model: name, temperature: 0, topP: null, seed: options.seed });
  const open = await openCalls(maker, stage, prompts, cache, options);
  const cost = costOf(model.priceOf?.(name), open.promptTokens, open.completionTokens);
  stderr.write(`${announced(maker.step, name, open, cost)}\n`);
  if (open.calls > 0 && !options.yes && !(await isAgreed(streams, signal)))
    return { code: signal.aborted ? INTERRUPTED : 1 };
  const line = countingLine(stderr, 'asking');
  const asked = askedModel(stage, prompts, cache, {
    ...{ restart: options.restart, retry: options.retry, signal, concurrency: model.concurrency },
    onAnswer: ({ calls, malformed }) => {
      const total = Math.max(calls, open.known + open.calls);
      line.notify(calls, total, malformed === 0 ? '' : `${malformed} unreadable`);
    },
  });
  let answers: Answers;
  try {
    answers = await maker.ask(asked);
    // Count expected questions that were not needed as done.
    const { calls } = asked.counts();
    line.notify(calls, calls, '');
  } catch (failure) {
    line.end();
    if (signal.aborted) stderr.write('Waiting for the answers under way; Ctrl-C again ends at once.\n');
    await asked.close();
    if (!(failure instanceof ModelCallError)) throw failure;
    const without = options.restart || options.retry ? ` without --${options.restart ? 'restart' : 'retry'}` : '';
    stderr.write(signal.aborted ? 'Stopped.' : `The language model failed: ${failure.message}`);
    stderr.write(` What is answered is kept: the same command${without} goes on from there.\n`);
    return { code: signal.aborted ? INTERRUPTED : 1 };
  }
  line.end();
  stderr.write(`${tookOf(asked, stage)}\n`);
  const { set, notes, ...made } = await maker.build(answers);
  for (const note of notes) stderr.write(`${note}\n`);
  if (set === null) {
    stderr.write(
      'Nothing was made, so nothing is written: try --retry, --restart, another --seed or another --model.\n',
    );
    return { code: 1 };
  }
  const making = makingOf(maker, options, asked, made);
  writeJson(options.out, { ...set, made: [...set.made, making] }, stdout);
  return { code: 0, answers };
}

export function announced(
  step: string,
  model: string,
  { calls, promptTokens, completionTokens, known }: OpenCalls,
  cost: number | null,
): string {
  const before = known === 0 ? '' : `; ${known} were answered before and are not asked again`;
  if (calls === 0) return `benchmark ${step}: nothing to ask${before}.`;
  const price = cost === null ? 'at no known price (TESSERA_MODEL_PRICES)' : `at a cost of about ${cost.toFixed(4)}`;
  return `benchmark ${step}: about ${calls} calls of ${model}, ${promptTokens} + ${completionTokens} tokens, ${price}${before}.`;
}

/** The end of the input is a no. @throws UsageError if nobody can be asked */
export async function isAgreed({ stdin, stderr }: CommandStreams, signal: AbortSignal): Promise<boolean> {
  if (stdin.isTTY !== true) throw new UsageError('Nothing was asked yet: say --yes to go on without being asked.');
  const terminal = createInterface({ input: stdin });
  try {
    stderr.write('Go on? [y/N] ');
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question('', { signal }), ended]);
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } catch (failure) {
    if (signal.aborted) return false;
    throw failure;
  } finally {
    terminal.close();
  }
}

function tookOf(asked: AskedModel, stage: StageModel): string {
  const { calls, known, malformed, refused, askedAgain } = asked.counts();
  const notes = [
    `${calls} questions answered`,
    known > 0 && `${known} of them in an earlier run`,
    `${askedAgain} asked again as the answer could not be read`,
    `${malformed} without a readable answer${malformed > 0 ? ' (--retry asks for them once more)' : ''}`,
    refused > 0 && `${refused} not taken by the server`,
    printUsage(stage.usage()),
  ];
  const failure = asked.firstFailure();
  const line = notes.filter((note) => note !== false && note !== '').join(', ');
  return failure === null ? line : `${line}\nThe first question without an answer: ${failure}`;
}

function makingOf(
  { step, version, options: own }: Pick<Maker<never>, 'step' | 'version' | 'options'>,
  { seed }: ProtocolOptions,
  asked: AskedModel,
  { counts, failedAttempts = [] }: Pick<MadeSet, 'counts' | 'failedAttempts'>,
): Making {
  const { calls, malformed, refused, askedAgain } = asked.counts();
  return {
    ...{ step, version, seed, model: asked.settings, prompts: asked.prompts(), options: own },
    counts: { ...counts, calls, malformed, refused, askedAgain },
    ...(failedAttempts.length > 0 && { failedAttempts: [...failedAttempts] }),
  };
}
