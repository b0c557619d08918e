import type { Command, Flags } from '../command.ts';
import { overService } from '../over-service.node.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';

const JUDGE_FLAGS = {
  judge: { type: 'string', value: 'NAME', about: 'embedded (default) or llm' },
  encoder: { type: 'string', value: 'NAME', about: 'the encoder of the embedded judge' },
  model: { type: 'string', value: 'NAME', about: 'the language model that judges; TESSERA_MODEL where absent' },
  json: { type: 'boolean', about: 'everything, as JSON' },
} as const satisfies Flags;

const RUN_FLAGS = {
  html: { type: 'string', value: 'FILE', about: 'write a page to read, too' },
  restart: { type: 'boolean', about: 'do again what is known from an earlier run' },
  limit: { type: 'string', value: 'N', about: 'only the first N records' },
} as const satisfies Flags;

const EVAL_FLAGS = {
  ...JUDGE_FLAGS,
  by: {
    type: 'string',
    value: 'NAMES',
    about: 'further tables, by domain,questionKind,order,inputWords,outputWords',
  },
  baseline: { type: 'string', value: 'SYSTEM', about: 'the system that the others are compared with' },
  ...RUN_FLAGS,
} as const satisfies Flags;

/** Scores files of records. */
export const evalCommand: Command = {
  summary: 'Score digests of any system by published measures.',
  usage: 'FILE…',
  flags: EVAL_FLAGS,
  notes: 'FILE holds records as JSON or JSON Lines: docs/evaluation.md. A run that was stopped goes on where it was.',
  examples: [
    'tessera eval scores.jsonl --html scores.html',
    'tessera eval scores.jsonl --judge llm --by domain,outputWords --json > scores.json',
  ],
  async run(args) {
    const { values, positionals } = parseFlags(args, EVAL_FLAGS);
    if (positionals.length === 0) throw new UsageError('Name the files to score.');
    const { html, baseline, json = false, restart = false } = values;
    const { dimensionsOf, judgeRequest, limitOf } = await import('../eval-options.ts');
    const [judge, by, limit] = [judgeRequest(values), dimensionsOf(values.by), limitOf(values.limit)];
    const { readTextFiles } = await import('../read-files.node.ts');
    const files = readTextFiles(positionals);
    const options = { judge, by, limit, html, baseline, json, restart };
    const { evalFiles } = await import('../eval.node.ts');
    await overService(({ parts }, signal) => evalFiles(files, options, parts, process, signal));
  },
};

/** Holds a judge against people. */
export const evalJudgeCommand: Command = {
  summary: 'Hold a judge against the labels of people.',
  usage: 'FILE',
  flags: JUDGE_FLAGS,
  notes: 'FILE holds labelled summaries as JSON or JSON Lines: docs/evaluation.md.',
  examples: ['tessera eval judge labels.json', 'tessera eval judge labels.json --judge llm --model gemma3'],
  async run(args) {
    const { values, positionals } = parseFlags(args, JUDGE_FLAGS);
    const path = onlyPositional(positionals, 'a file of labelled summaries');
    const { judgeRequest } = await import('../eval-options.ts');
    const options = { judge: judgeRequest(values), json: values.json === true };
    const { readTextFiles } = await import('../read-files.node.ts');
    const [file] = readTextFiles([path]);
    const { evalJudge } = await import('../eval-judge.node.ts');
    await overService(({ parts }, signal) => evalJudge(file, options, parts, process, signal));
  },
};

const COMPARE_FLAGS = {
  json: JUDGE_FLAGS.json,
  ...RUN_FLAGS,
  timings: { type: 'boolean', about: 'tell how long choosing and writing took; digests are then made one by one' },
} as const satisfies Flags;

/** Compares arms of a configuration over data. */
export const compareCommand: Command = {
  summary: 'Compare options of digests over the same data.',
  usage: 'CONFIG DATA',
  flags: COMPARE_FLAGS,
  notes: 'CONFIG names the arms, DATA holds documents and questions: docs/comparison.md.',
  examples: ['tessera compare demo/ablation.json data.jsonl --html comparison.html'],
  async run(args) {
    const { values, positionals } = parseFlags(args, COMPARE_FLAGS);
    if (positionals.length !== 2) throw new UsageError('Name a configuration and a file of data.');
    const { html, json = false, timings = false, restart = false } = values;
    const { limitOf } = await import('../eval-options.ts');
    const options = { html, json, timings, restart, limit: limitOf(values.limit) };
    const { readTextFiles } = await import('../read-files.node.ts');
    const [configuration, data] = readTextFiles(positionals);
    const { compareArms } = await import('../compare.node.ts');
    await overService(({ parts }, signal) => compareArms({ configuration, data }, options, parts, process, signal));
  },
};
