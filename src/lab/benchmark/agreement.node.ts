import { readFileSync } from 'node:fs';
import { agreementOf, type KnownItem } from '../agreement/agreement-of.ts';
import { itemsOf } from '../annotation/items-of.ts';
import { decisionsOf } from '../annotation/label.ts';
import { BadRecordsError } from '../cli/bad-records-error.ts';
import { parseFlags } from '../cli/parse-flags.node.ts';
import { UsageError } from '../cli/usage-error.ts';
import { printFieldAgreements } from './annotation/print-agreement.ts';
import { readLabels } from './annotation/read-labels.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { readSet } from './set-file.node.ts';

/** Says how far people who labelled a set agree with each other, and with the model that filtered it. */
export const agreementCommand: BenchmarkCommand = {
  summary: 'Tell how far people agree with each other and with a set.',
  usage: '[SET] LABELS.jsonl… [--json]',
  examples: ['tessera benchmark agreement set.json ada.jsonl bob.jsonl'],
  async run(args, _service, { stdout, stderr }) {
    const { values, positionals } = parseFlags(args, { json: { type: 'boolean' } });
    const [first, ...others] = positionals;
    if (first === undefined) throw new UsageError('Name the files of labels.');
    const known = holdsSet(first) ? knownItems(first) : null;
    const paths = known === null ? positionals : others;
    if (paths.length === 0) throw new UsageError('Name a file of labels behind the set.');
    const files = paths.map(readLabels);
    const problems = files.flatMap(({ problems }) => problems);
    if (problems.length > 0) throw new BadRecordsError(problems, 'counted');
    for (const where of files.flatMap(({ torn }) => torn)) {
      stderr.write(`${where} was cut short when it was written, and is left out.\n`);
    }
    const all = decisionsOf(files.flatMap(({ labels }) => labels));
    const decisions = known === null ? all : all.filter(({ item }) => known.has(item));
    if (decisions.length < all.length) {
      stderr.write(`Labels left out, as the set has no such items: ${all.length - decisions.length}\n`);
    }
    if (decisions.length === 0) throw new UsageError('There is no label to count.');
    const fields = agreementOf(decisions, known);
    const drawn = known === null ? 'items' : 'cases';
    const note = `95% intervals by drawing ${drawn}${known === null ? '; name the set first to draw its cases' : ''}`;
    stdout.write(
      values.json === true
        ? `${JSON.stringify({ drawn, fields }, null, 2)}\n`
        : `${printFieldAgreements(fields)}\n\n${note}\n`,
    );
    return 0;
  },
};

function knownItems(path: string): ReadonlyMap<string, KnownItem> {
  return new Map(itemsOf(readSet(path)).items.map((item) => [item.id, { case: item.case, score: item.score }]));
}

/** Whether a file is one JSON object that is no label; a file of labels has one in each line. */
function holdsSet(path: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !('item' in value);
  } catch {
    // Read as labels, which tells what is wrong.
    return false;
  }
}
