import { askedCases, type BenchmarkSet, nuggetsProtocol } from '../../lab/index.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand } from './command.ts';
import { makeWithModel } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

const PER_DOCUMENT = 10;
const NUGGETS = 20;

/** Makes nuggets for every case of a set with an intent. */
export const nuggetsCommand: BenchmarkCommand = {
  summary: 'Add nuggets: questions with answers bound to the documents that attest them.',
  usage: `SET [--per-document ${PER_DOCUMENT}] [--nuggets ${NUGGETS}] ${PROTOCOL_USAGE}`,
  examples: ['tessera benchmark nuggets intents.json --out nuggets.json'],
  async run(args, service, streams, signal) {
    const flags = { ...PROTOCOL_FLAGS, 'per-document': { type: 'string' }, nuggets: { type: 'string' } } as const;
    const { values, positionals } = parseFlags(args, flags);
    const path = onlyPositional(positionals, 'the file of a benchmark set');
    const options = protocolOptions(values);
    const perDocument = wholeNumber('--per-document', values['per-document'], PER_DOCUMENT);
    const nuggets = wholeNumber('--nuggets', values.nuggets, NUGGETS);
    const set = readSet(path);
    if (askedCases(set).length === 0) throw new UsageError(`No case of ${path} has an intent, which asks for nuggets.`);
    const parts = await service();
    // Without a model it is refused before anything is read.
    const contextTokens = parts.models.model?.contextTokens ?? 0;
    const protocol = nuggetsProtocol(set, { perDocument, nuggets, contextTokens });
    const made = await makeWithModel(protocol, options, parts, streams, signal);
    if ('code' in made) return made.code;
    const { counts } = made.making;
    const dropped = `${counts.incomplete} incomplete, ${counts.longAnswers} with too long an answer, ${counts.unquoted} with a quote that their document does not hold, ${counts.unattested} that their document does not attest`;
    streams.stderr.write(
      `Nuggets: ${counts.nuggets} of ${counts.merged} merged, from ${counts.found} found; dropped: ${dropped}.\nPairs of an answer and a further document: ${counts.compared} checked, of which ${counts.boundToOthers} attest the answer; ${counts.uncompared} left unchecked, as their words are farther from it.\n`,
    );
    if (counts.nuggets === 0) {
      streams.stderr.write('No nugget can be used, so nothing is written.\n');
      return 1;
    }
    const whole: BenchmarkSet = {
      ...set,
      cases: set.cases.map((each) => {
        const own = made.result.get(each.id) ?? [];
        return own.length === 0 ? each : { ...each, nuggets: [...own] };
      }),
      made: [...set.made, made.making],
    };
    writeJson(options.out, whole, streams.stdout);
    return 0;
  },
};
