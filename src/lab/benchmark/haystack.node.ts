import type { Making } from '../benchmark-set.ts';
import { haystackOfStatements } from '../haystack/haystack-of-statements.ts';
import type { Haystack } from '../haystack/haystack-options.ts';
import { haystackProtocol } from '../haystack/haystack-protocol.ts';
import { NoHaystackError } from '../haystack/no-haystack-error.ts';
import { parseFlags } from '../cli/parse-flags.node.ts';
import { UsageError } from '../cli/usage-error.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { HAYSTACK_FLAGS, modelHaystack, statementHaystack } from './haystack-flags.ts';
import { readStatements } from './haystack-statements.node.ts';
import { makeWithModel } from './make-with-model.node.ts';
import { MAKING_USAGE } from './making-flags.node.ts';
import { writeJson } from './set-file.node.ts';
import { haystackTold } from './tell-haystack.ts';

/** Makes a haystack with a language model, or of statements that people labelled. */
export const haystackCommand: BenchmarkCommand = {
  summary: 'Make a set of documents that a language model writes around insights.',
  usage: `--topic TEXT [--kind news|conversation] [--subtopics 10] [--insights 5-10] [--documents 100] [--words 750]
    [--least 5] [--edits 5] ${MAKING_USAGE}
  tessera benchmark haystack --statements FILE [--documents 100] [--words 750] [--least 5] [--repeat] [--out FILE] [--seed N]`,
  examples: ['tessera benchmark haystack --topic "A city\'s congestion charge" --documents 20 --out haystack.json'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, HAYSTACK_FLAGS);
    if (positionals.length > 0) throw new UsageError(`benchmark haystack takes no "${positionals[0]}".`);
    if (values.statements !== undefined) {
      const { out, ...options } = statementHaystack(values);
      const { haystack, making } = haystackOfStatements(readStatements(values.statements), options);
      finish(haystack, making, out, streams);
      return 0;
    }
    const { making: asking, haystack: options } = modelHaystack(values);
    const parts = await service();
    // Without a model it is refused before anything is asked.
    const protocol = haystackProtocol(options, parts.models.model?.contextTokens ?? 0);
    const made = await makeWithModel(protocol, asking, parts, streams, signal);
    if ('code' in made) return made.code;
    if (made.result === null) throw new NoHaystackError(made.making.counts, options);
    finish(made.result, made.making, asking.out, streams);
    return 0;
  },
};

function finish(
  { rare, ...set }: Haystack,
  making: Making,
  out: string | undefined,
  { stdout, stderr }: CommandStreams,
) {
  writeJson(out, { ...set, made: [making] }, stdout);
  stderr.write(haystackTold({ rare }, making));
}
