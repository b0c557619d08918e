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
import { UsageError } from '../command.node.ts';
import { JSON_FLAG } from '../flags.ts';
import { readTextFiles } from '../read-files.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { readDecisions } from './label-files.node.ts';
import { readSet } from './set-file.node.ts';

export const agreementCommand = benchmarkCommand({
  summary: 'Measure how far people agree with each other and with a set.',
  usage: '[SET | RECORDS] LABELS.jsonl…',
  flags: JSON_FLAG,
  examples: ['tessera benchmark agreement set.json ada.jsonl bob.jsonl'],
  takes: { min: 1, max: Number.POSITIVE_INFINITY, otherwise: 'Name the files of labels.' },
  async run({ json = false }, paths, _service, { stdout, stderr }) {
    const [first, ...others] = paths;
    const known = knownItems(first);
    const files = known === null ? paths : others;
    if (files.length === 0) throw new UsageError('Name a file of labels behind the set or the records.');
    const all = readDecisions(files, 'counted', stderr);
    const decisions = all.filter(({ item }) => known?.has(item) ?? true);
    if (decisions.length < all.length) {
      stderr.write(`Labels left out, as ${first} has no such items: ${all.length - decisions.length}\n`);
    }
    if (decisions.length === 0) throw new UsageError('There is no label to count.');
    const fields = agreementOf(decisions, known);
    const drawn = known === null ? 'items' : 'cases';
    const advice = known === null ? '; name the set, or the records, first to draw its cases' : '';
    const note = `95% intervals by drawing ${drawn}${advice}`;
    const text = `${fields.map(printFieldAgreement).join('\n\n\n')}\n\n${note}`;
    stdout.write(`${json ? JSON.stringify({ drawn, fields }, null, 2) : text}\n`);
    return 0;
  },
});

/** Null for a file of labels. */
function knownItems(path: string): ReadonlyMap<string, KnownItem> | null {
  const file = readFileToGuess(path);
  const records = readJudgedRecords(file, 'counted');
  if (records === null && !holdsSet(file.text)) return null;
  const set = records === null ? readSet(path) : null;
  const items = set === null ? records?.flatMap(annotationItems) : [...itemsOf(set).items, ...questionItemsOf(set)];
  return new Map(items?.map((item) => [item.id, { case: item.case, score: item.score }]));
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
