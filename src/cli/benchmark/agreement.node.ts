import {
  agreementOf,
  annotationItems,
  itemsOf,
  type KnownItem,
  printFieldAgreement,
  questionItemsOf,
  readJudgedRecords,
} from '../../lab/index.ts';
import { UnreadableFileError } from '../../text/index.ts';
import { parseFlags, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { readDecisions } from './label-files.node.ts';
import { readSet } from './set-file.node.ts';

export const agreementCommand: BenchmarkCommand = {
  summary: 'Measure how far people agree with each other and with a set.',
  usage: '[SET | RECORDS] LABELS.jsonl… [--json]',
  examples: ['tessera benchmark agreement set.json ada.jsonl bob.jsonl'],
  async run(args, _service, { stdout, stderr }) {
    const { values, positionals } = parseFlags(args, { json: { type: 'boolean' } });
    const [first, ...others] = positionals;
    if (first === undefined) throw new UsageError('Name the files of labels.');
    const known = knownItems(first);
    const paths = known === null ? positionals : others;
    if (paths.length === 0) throw new UsageError('Name a file of labels behind the set or the records.');
    const all = readDecisions(paths, 'counted', stderr);
    const decisions = known === null ? all : all.filter(({ item }) => known.has(item));
    if (decisions.length < all.length) {
      stderr.write(`Labels left out, as ${first} has no such items: ${all.length - decisions.length}\n`);
    }
    if (decisions.length === 0) throw new UsageError('There is no label to count.');
    const fields = agreementOf(decisions, known);
    const drawn = known === null ? 'items' : 'cases';
    if (values.json === true) {
      stdout.write(`${JSON.stringify({ drawn, fields }, null, 2)}\n`);
      return 0;
    }
    const advice = known === null ? '; name the set, or the records, first to draw its cases' : '';
    const note = `95% intervals by drawing ${drawn}${advice}`;
    stdout.write(`${fields.map(printFieldAgreement).join('\n\n\n')}\n\n${note}\n`);
    return 0;
  },
};

function knownItems(path: string): ReadonlyMap<string, KnownItem> | null {
  const file = readFileToGuess(path);
  const records = readJudgedRecords(file, 'counted');
  if (records === null && !holdsSet(file.text)) return null;
  const set = records === null ? readSet(path) : null;
  const items =
    set === null ? (records ?? []).flatMap(annotationItems) : [...itemsOf(set).items, ...questionItemsOf(set)];
  return new Map(items.map((item) => [item.id, { case: item.case, score: item.score }]));
}

/** Whether a text is one JSON object other than a label; label files have one object per line. */
function holdsSet(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !('item' in value);
  } catch {
    return false;
  }
}

/** Empty if unreadable or cut within a character; reading it as labels then reports the error. */
function readFileToGuess(path: string) {
  try {
    return readTextFiles([path])[0];
  } catch (failure) {
    if (failure instanceof UnreadableFileError) return { path, text: '' };
    throw failure;
  }
}
