import { createInterface } from 'node:readline/promises';
import type { DigestDeps } from '../../digest/index.ts';
import {
  type AskedModel,
  countingLine,
  countUnknown,
  keptAnswers,
  keptModel,
  type MadeBy,
  type Making,
  type OpenCalls,
  type Protocol,
  printUsage,
} from '../../lab/index.ts';
import { costOf, ModelCallError, type StageModel, stageModel } from '../../models/index.ts';
import { INTERRUPTED } from '../run-notes.node.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandStreams } from './command.ts';
import type { ProtocolOptions } from './protocol-flags.node.ts';
import { checkWritable } from './set-file.node.ts';

/** What came of a making: the result with its record, or the exit code where there is none. */
export type MadeWithModel<Result> = { readonly result: Result; readonly making: Making } | { readonly code: number };

/**
 * Makes a step of a benchmark set with the language model of the configuration: says what it will ask and cost, asks
 * whether to go on, shows how far it is, keeps every answer, and says at the end what it took and what could not be read.
 *
 * @param signal ends it; the same command goes on from there
 * @throws UsageError where there is no model, and where nobody can be asked and `--yes` was not said
 */
export async function makeWithModel<Result>(
  protocol: Protocol<Result>,
  options: ProtocolOptions,
  { models: { model, prompts }, cache }: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<MadeWithModel<Result>> {
  if (model === null) {
    throw new UsageError(
      `benchmark ${protocol.step} needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server.`,
    );
  }
  const name = options.model ?? model.defaultModel;
  if (name === null) throw new UsageError('Say which model to ask: --model NAME, or TESSERA_MODEL.');
  if (options.out !== undefined) checkWritable(options.out);
  const stage = stageModel(model, { model: name, temperature: 0, topP: null, seed: options.seed });
  const kept = keptAnswers(cache, options);
  const open = await countUnknown(protocol, stage, prompts, kept);
  const cost = costOf(model.priceOf?.(name), open.promptTokens, open.completionTokens);
  const most = protocol.most === undefined ? undefined : Math.max(open.calls, protocol.most() - open.known);
  streams.stderr.write(`${announced(protocol.step, name, { ...open, most }, cost)}\n`);
  if (open.calls > 0 && !options.yes && !(await isAgreed(streams, signal)))
    return { code: signal.aborted ? INTERRUPTED : 1 };
  const line = countingLine(streams.stderr, 'asking');
  const asked = keptModel(stage, prompts, kept, {
    signal,
    atOnce: model.concurrency,
    onAnswer: ({ calls, malformed }) => {
      const total = Math.max(calls, open.known + open.calls);
      line.notify(calls, total, malformed === 0 ? '' : `${malformed} unreadable`);
    },
  });
  try {
    const { result, ...told } = await protocol.make(asked);
    // What was expected and did not come to be asked is done as well.
    const { calls } = asked.counts();
    line.notify(calls, calls, '');
    line.end();
    streams.stderr.write(`${tookOf(asked, stage)}\n`);
    return { result, making: makingOf(protocol, options, asked, told) };
  } catch (failure) {
    line.end();
    if (signal.aborted) streams.stderr.write('Waiting for the answers under way; Ctrl-C again ends at once.\n');
    await asked.close();
    if (!(failure instanceof ModelCallError)) throw failure;
    const isStopped = signal.aborted;
    streams.stderr.write(isStopped ? 'Stopped.' : `The language model failed: ${failure.message}`);
    const without = options.restart || options.retry ? ` without --${options.restart ? 'restart' : 'retry'}` : '';
    streams.stderr.write(` What is answered is kept: the same command${without} goes on from there.\n`);
    return { code: isStopped ? INTERRUPTED : 1 };
  }
}

export function announced(
  step: string,
  model: string,
  { calls, most = calls, promptTokens, completionTokens, known }: OpenCalls & { readonly most?: number | undefined },
  cost: number | null,
): string {
  const before = known === 0 ? '' : `; ${known} were answered before and are not asked again`;
  if (calls === 0) return `benchmark ${step}: nothing to ask${before}.`;
  const price = cost === null ? 'at no known price (TESSERA_MODEL_PRICES)' : `at a cost of about ${cost.toFixed(4)}`;
  const bound = most > calls ? ` (${most} at the most)` : '';
  return `benchmark ${step}: about ${calls} calls${bound} of ${model}, ${promptTokens} + ${completionTokens} tokens, ${price}${before}.`;
}

/**
 * Whether a person says yes; whoever ends the input without a word does not.
 *
 * @throws UsageError where nobody can be asked
 */
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
  { step, version, options: own }: Protocol<unknown>,
  { seed }: ProtocolOptions,
  asked: AskedModel,
  { counts, failedAttempts = [] }: Omit<MadeBy<unknown>, 'result'>,
): Making {
  const { calls, malformed, refused, askedAgain } = asked.counts();
  return {
    step,
    version,
    seed,
    model: asked.settings,
    prompts: asked.prompts(),
    options: own,
    counts: { ...counts, calls, malformed, refused, askedAgain },
    ...(failedAttempts.length > 0 && { failedAttempts: [...failedAttempts] }),
  };
}
