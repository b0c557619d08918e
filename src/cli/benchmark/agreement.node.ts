import {
  agreementOf,
  annotationItems,
  fieldTables,
  itemsOf,
  type KnownItem,
  questionItemsOf,
  readJudgedRecords,
} from '../../lab/index.ts';
import { UsageError } from '../command.node.ts';
import { OUTPUT_FLAGS } from '../flags.ts';
import { readTextFiles } from '../read-files.node.ts';
import { writeReport } from '../reports.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { readDecisions } from './label-files.node.ts';
import { readSet } from './set-file.node.ts';

export const agreementCommand = benchmarkCommand({
  summary: 'Measure how far people agree with each other and with a set.',
  usage: 'SET|RECORDS LABELS.jsonl…',
  flags: OUTPUT_FLAGS,
  examples: ['tessera benchmark agreement set.json ada.jsonl bob.jsonl'],
  takes: {
    min: 2,
    max: Number.POSITIVE_INFINITY,
    otherwise: 'Name a set, or records with a task, and files of labels behind it.',
  },
  async run({ json = false, html, csv }, [first, ...files], _service, { stdout, stderr }) {
    const known = knownItems(first);
    const all = readDecisions(files, 'counted', stderr);
    const decisions = all.filter(({ item }) => known.has(item));
    if (decisions.length < all.length) {
      stderr.write(`Labels left out, as ${first} has no such items: ${all.length - decisions.length}\n`);
    }
    if (decisions.length === 0) throw new UsageError('There is no label to count.');
    const fields = agreementOf(decisions, known);
    const sections = fields.map((each) => ({ title: each.field, parts: fieldTables(each) }));
    const report = { title: 'Agreement', about: ['95% intervals by drawing cases'], sections };
    await writeReport(report, { fields }, { json, html, csv }, stdout);
    return 0;
  },
});

function knownItems(path: string): ReadonlyMap<string, KnownItem> {
  const records = readJudgedRecords(readTextFiles([path])[0], 'counted');
  const set = records === null ? readSet(path) : null;
  const items = set === null ? records?.flatMap(annotationItems) : [...itemsOf(set).items, ...questionItemsOf(set)];
  return new Map(items?.map((item) => [item.id, item]));
}
