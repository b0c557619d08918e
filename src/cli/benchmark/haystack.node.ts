import type { Making } from '../../benchmarks/benchmark-set.ts';
import { haystackOfStatements } from '../../benchmarks/haystack/haystack-of-statements.ts';
import type { Haystack } from '../../benchmarks/haystack/haystack-options.ts';
import { haystackProtocol } from '../../benchmarks/haystack/haystack-protocol.ts';
import { NoHaystackError } from '../../benchmarks/haystack/no-haystack-error.ts';
import { parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { HAYSTACK_FLAGS, modelHaystack, statementHaystack } from './haystack-flags.ts';
import { readStatements } from './haystack-statements.node.ts';
import { makeWithModel } from './make-with-model.node.ts';
import { MAKING_USAGE } from './making-flags.node.ts';
import { writeJson } from './set-file.node.ts';

/** Insights that are named; the rest are counted. */
const MOST_NAMED = 10;

/** Makes a haystack with a language model, or of statements that people labelled. */
export const haystackCommand: BenchmarkCommand = {
  usage: `haystack --topic TEXT [--kind news|conversation] [--subtopics 10] [--insights 5-10] [--documents 100] [--words 750]
    [--least 5] [--edits 5] ${MAKING_USAGE}
  tessera benchmark haystack --statements FILE [--documents 100] [--words 750] [--least 5] [--repeat] [--out FILE] [--seed N]`,
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, HAYSTACK_FLAGS);
    if (positionals.length > 0) throw new UsageError(`benchmark haystack takes no "${positionals[0]}".`);
    if (values.statements !== undefined) {
      const { out, ...options } = statementHaystack(values);
      const { haystack, making } = haystackOfStatements(readStatements(values.statements), options);
      finish(haystack, making, options.least, out, streams);
      return 0;
    }
    const { making: asking, haystack: options } = modelHaystack(values);
    const made = await makeWithModel(haystackProtocol(options), asking, await service(), streams, signal);
    if ('code' in made) return made.code;
    if (made.result === null) throw new NoHaystackError(made.making.counts);
    finish(made.result, made.making, options.least, asking.out, streams);
    return 0;
  },
};

function finish(
  { rare, ...set }: Haystack,
  making: Making,
  least: number,
  out: string | undefined,
  { stdout, stderr }: CommandStreams,
): void {
  writeJson(out, { ...set, made: [making] }, stdout);
  const { documents, cases, insights, ...more } = making.counts;
  const notes = Object.entries(more).map(([name, count]) => `${name} ${count}`);
  stderr.write(`${documents} documents, ${cases} cases, ${insights} insights (${notes.join(', ')}).\n`);
  for (const { text, documents: telling } of rare.slice(0, MOST_NAMED)) {
    stderr.write(`Told by ${telling} of the ${least} documents that --least asks for: ${text}\n`);
  }
  if (rare.length > MOST_NAMED) stderr.write(`and ${rare.length - MOST_NAMED} more such insights.\n`);
  const wanted = Number(making.options.documents);
  if (documents < wanted)
    stderr.write(`There are ${documents} documents of the ${wanted} of --documents: ${why(making)}.\n`);
}

function why({ model, options }: Making): string {
  if (model !== null) return 'the others could not be written';
  return `the statements fill no more of about ${options.words} words`;
}
