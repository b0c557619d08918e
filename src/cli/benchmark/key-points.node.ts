import type { DigestDeps } from '../../digest/index.ts';
import { type JudgeRequest, judgeOf } from '../../evaluation/index.ts';
import {
  BadRecordsError,
  type CaseKeyPoints,
  checkRecords,
  extractionRecall,
  judgeIdentity,
  keyPointsMaker,
  type PeoplePoints,
  peoplePointsSchema,
  printJudge,
  printRecall,
  type RecordProblem,
  recallCalls,
} from '../../lab/index.ts';
import { costOf, ModelCallError } from '../../models/index.ts';
import { onlyPositional, parseFlags, UsageError } from '../command.node.ts';
import { judgeRequest } from '../eval-options.ts';
import { readTextFiles } from '../read-files.node.ts';
import { INTERRUPTED } from '../run-notes.node.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { announced, contextTokensOf, isAgreed, makeSet } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, share, wholeNumber } from './protocol-flags.node.ts';
import { readSet } from './set-file.node.ts';

const FLAGS = {
  ...PROTOCOL_FLAGS,
  rounds: { type: 'string' },
  threshold: { type: 'string' },
  people: { type: 'string' },
  judge: { type: 'string' },
  encoder: { type: 'string' },
} as const;

export const keyPointsCommand: BenchmarkCommand = {
  summary: 'Add the key points that an answer should hold.',
  usage: `SET [--rounds 3] [--threshold 0.7] [--people FILE [--judge embedded|llm] [--encoder NAME]]
    ${PROTOCOL_USAGE}`,
  examples: ['tessera benchmark key-points intents.json --out points.json'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, FLAGS);
    const path = onlyPositional(positionals, 'the file of a benchmark set');
    const options = protocolOptions(values);
    const rounds = wholeNumber('--rounds', values.rounds, 3);
    const threshold = share('--threshold', values.threshold, 0.7);
    const { judge: name, encoder, model } = values;
    for (const flag of ['judge', 'encoder'] as const) {
      if (values.people === undefined && values[flag] !== undefined)
        throw new UsageError(`--${flag} needs --people FILE: without it nothing is judged.`);
    }
    const judge = judgeRequest({ judge: name, encoder, ...(name === 'llm' && { model }) });
    const set = readSet(path);
    const people = values.people === undefined ? null : readPeoplePoints(values.people, set.cases);
    const deps = await service();
    if (people !== null) judgeIdentity(judge, deps);
    const maker = keyPointsMaker(set, { rounds, threshold, contextTokens: contextTokensOf(deps) });
    const { code, answers } = await makeSet(maker, options, deps, streams, signal);
    if (answers === undefined || people === null) return code;
    const isAsked = judge.judge !== 'llm' || options.yes;
    if (!isAsked && !(await isJudgingAgreed(answers, people, judge, deps, streams, signal))) {
      streams.stderr.write('The set is written; extraction recall is not known.\n');
      return signal.aborted ? INTERRUPTED : 0;
    }
    const report = options.out === undefined ? streams.stderr : streams.stdout;
    const judging = judgeOf(judge, deps, { signal, countsUnreadable: true });
    try {
      const covered = await extractionRecall(answers, people, threshold, judging);
      const title = `Extraction recall: people's key points that made ones cover, judged by ${printJudge(judging.record())}`;
      report.write(`${title}\n${printRecall(covered)}\n`);
      for (const warning of judging.warnings()) streams.stderr.write(`${warning}\n`);
      return 0;
    } catch (failure) {
      if (!(failure instanceof ModelCallError)) throw failure;
      streams.stderr.write(signal.aborted ? 'Stopped.' : `The judge failed: ${failure.message}`);
      streams.stderr.write(' The set is written; extraction recall is not known.\n');
      return signal.aborted ? INTERRUPTED : 1;
    }
  },
};

function readPeoplePoints(
  path: string,
  cases: readonly { readonly id: string; readonly intent?: string | undefined }[],
): PeoplePoints[] {
  const { placed, problems } = checkRecords(readTextFiles([path]), peoplePointsSchema);
  const known = new Set(cases.flatMap(({ id, intent }) => (intent === undefined ? [] : [id])));
  const seen = new Set<string>();
  const odd = placed.flatMap(({ where, record: { case: id } }): RecordProblem[] => {
    const detail = !known.has(id)
      ? `"${id}" is no case of the set with an intent`
      : seen.has(id)
        ? `"${id}" came before`
        : null;
    seen.add(id);
    return detail === null ? [] : [{ where, pointer: '/case', detail }];
  });
  if (problems.length + odd.length > 0) throw new BadRecordsError([...problems, ...odd], 'made');
  return placed.map(({ record }) => record);
}

async function isJudgingAgreed(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
  { engine }: JudgeRequest,
  { models: { model } }: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<boolean> {
  const estimate = recallCalls(made, people);
  const name = engine?.model ?? model?.defaultModel ?? 'the model that is named';
  const cost = costOf(model?.priceOf?.(name), estimate.promptTokens, estimate.completionTokens);
  streams.stderr.write(`${announced('key-points --people', name, { ...estimate, known: 0 }, cost)}\n`);
  return estimate.calls === 0 || isAgreed(streams, signal);
}
