import { LIMITS } from '../../contract/index.ts';
import {
  HAYSTACK_KINDS,
  type HaystackOptions,
  haystackMaker,
  haystackOfStatements,
  readStatements,
} from '../../lab/index.ts';
import { parseFlags, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { contextTokensOf, makeSet } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

const TEXT = { type: 'string' } as const;
const OF_MODELS = { topic: TEXT, kind: TEXT, subtopics: TEXT, insights: TEXT, edits: TEXT, retries: TEXT, seeds: TEXT };
const OF_STATEMENTS = { statements: TEXT, repeat: { type: 'boolean' } } as const;
const SIZES = { documents: TEXT, words: TEXT, least: TEXT };
const MAX = { topic: 500, subtopics: 50, insights: 50, words: 10_000, edits: 20, retries: 50 };

export const haystackCommand: BenchmarkCommand = {
  summary: 'Make a set of documents that a language model writes around insights.',
  usage: `--topic TEXT [--kind news|conversation] [--subtopics 10] [--insights 5-10] [--documents 100] [--words 750]
    [--least 5] [--edits 5] [--retries 10] [--seeds SET] ${PROTOCOL_USAGE}
  tessera benchmark haystack --statements FILE [--documents 100] [--words 750] [--least 5] [--repeat] [--out FILE] [--seed N]`,
  examples: ['tessera benchmark haystack --topic "A city\'s congestion charge" --documents 20 --out haystack.json'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, { ...PROTOCOL_FLAGS, ...OF_MODELS, ...OF_STATEMENTS, ...SIZES });
    if (positionals.length > 0) throw new UsageError(`benchmark haystack takes no "${positionals[0]}".`);
    const options = protocolOptions(values);
    const documents = atMost('--documents', values.documents, 100, LIMITS.documents);
    const words = atMost('--words', values.words, 750, MAX.words);
    const least = wholeNumber('--least', values.least, 5);
    if (least > documents) throw new UsageError(`--least is at most the ${documents} of --documents, not ${least}.`);
    const { seed } = options;
    if (values.statements !== undefined) {
      const odd = ([...Object.keys(OF_MODELS), 'model', 'yes', 'retry', 'restart'] as (keyof typeof values)[])
        .filter((flag) => values[flag] !== undefined)
        .map((flag) => `--${flag}`);
      if (odd.length > 0) throw new UsageError(`--statements asks no model: leave ${odd.join(', ')} out.`);
      const records = readStatements(readTextFiles([values.statements])[0]);
      const { repeat = false } = values;
      const { set, making, notes } = haystackOfStatements(records, { documents, words, least, repeat, seed });
      writeJson(options.out, { ...set, made: [making] }, streams.stdout);
      for (const note of notes) streams.stderr.write(`${note}\n`);
      return 0;
    }
    const topic = values.topic?.trim() ?? '';
    if (topic === '') throw new UsageError('benchmark haystack needs --topic TEXT, or --statements FILE.');
    if (topic.length > MAX.topic) {
      throw new UsageError(`--topic is at most ${MAX.topic} characters long, not ${topic.length}.`);
    }
    if (values.repeat === true) throw new UsageError('--repeat goes with --statements.');
    const kind = HAYSTACK_KINDS.find((each) => each === (values.kind ?? 'news'));
    if (kind === undefined)
      throw new UsageError(`--kind is one of ${HAYSTACK_KINDS.join(', ')}, not "${values.kind}".`);
    const seeds = values.seeds === undefined ? [] : readSet(values.seeds).collections;
    const haystack: HaystackOptions = {
      ...{ topic, kind, documents, words, least, seed, insights: rangeOf(values.insights ?? '5-10') },
      subtopics: atMost('--subtopics', values.subtopics, 10, MAX.subtopics),
      edits: atMost('--edits', values.edits, 5, MAX.edits, 0),
      retries: atMost('--retries', values.retries, 10, MAX.retries, 0),
      seeds: seeds.flatMap((collection) => collection.documents.map(({ text }) => text)),
    };
    const deps = await service();
    const maker = haystackMaker(haystack, contextTokensOf(deps));
    const { code } = await makeSet(maker, options, deps, streams, signal);
    return code;
  },
};

function rangeOf(given: string): HaystackOptions['insights'] {
  const [, first, second] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(given) ?? [];
  const [least, most] = [Number(first), Number(second ?? first)];
  if (!(least >= 1 && most >= least && most <= MAX.insights)) {
    throw new UsageError(`--insights is a range like 5-10, from 1 to ${MAX.insights}, not "${given}".`);
  }
  return { least, most };
}

function atMost(flag: string, given: string | undefined, otherwise: number, most: number, least = 1): number {
  const number = wholeNumber(flag, given, otherwise, least);
  if (number > most) throw new UsageError(`${flag} is at most ${most}, not ${number}.`);
  return number;
}
