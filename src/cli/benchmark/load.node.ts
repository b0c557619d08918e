import { checkRecords, FORMATS, loadSet, outputsOf, summHaySchema, type TextFile } from '../../lab/index.ts';
import { counted } from '../../text/index.ts';
import { UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { PROTOCOL_FLAGS } from './protocol-flags.node.ts';
import { writeJson, writeWhole } from './set-file.node.ts';

export const loadCommand = benchmarkCommand({
  summary: 'Make a set of files in a known layout.',
  usage: 'FORMAT FILE…',
  flags: {
    name: { type: 'string', value: 'NAME', about: "name of the set; by default the files'" },
    out: PROTOCOL_FLAGS.out,
    intent: { type: 'string', multiple: true, value: 'TEXT', about: 'with documents: a question; may be repeated' },
    outputs: { type: 'string', value: 'FILE', about: 'with summhay: file for the summaries of other systems' },
  },
  notes: `FORMAT is one of ${FORMATS.join(', ')}: docs/benchmarks.md.`,
  examples: [
    'tessera benchmark load summhay topic.json --out set.json',
    'tessera benchmark load documents notes/*.md --intent "What was decided?" --out set.json',
  ],
  takes: { min: 0, max: Number.POSITIVE_INFINITY, otherwise: '' },
  async run(values, [given, ...paths], _service, { stdout, stderr }) {
    const format = FORMATS.find((known) => known === given);
    if (format === undefined) throw new UsageError(`The format is one of ${FORMATS.join(', ')}, not "${given ?? ''}".`);
    if (paths.length === 0) throw new UsageError(`Name the files of the format ${format}.`);
    const { intent: intents, outputs, name } = values;
    if (intents !== undefined && format !== 'documents') throw new UsageError('--intent is for the format documents.');
    if (intents?.some((each) => each.trim() === '')) throw new UsageError('--intent says nothing.');
    if (name?.trim() === '') throw new UsageError('--name says nothing.');
    if (outputs !== undefined && format !== 'summhay') throw new UsageError('--outputs is for the format summhay.');
    const files = readTextFiles(paths);
    const set = loadSet(format, files, name, intents);
    if (outputs !== undefined) stderr.write(`${writeOutputs(outputs, files)}\n`);
    writeJson(values.out, set, stdout);
    const documents = set.collections.reduce((sum, collection) => sum + collection.documents.length, 0);
    const counts = format === 'set' ? {} : set.made[0].counts;
    const notes = Object.entries(counts).map(([what, count]) => `, ${count} ${what}`);
    const sizes = `${counted(set.collections.length, 'collection')}, ${counted(documents, 'document')}, ${counted(set.cases.length, 'case')}`;
    stderr.write(`benchmark load: ${sizes}${notes.join('')}.\n`);
    return 0;
  },
});

function writeOutputs(path: string, files: readonly TextFile[]): string {
  const outputs = checkRecords(files, summHaySchema).placed.flatMap(({ record }) => outputsOf(record));
  if (outputs.length === 0) throw new UsageError('--outputs: the files hold no summaries.');
  writeWhole(path, outputs.map((output) => `${JSON.stringify(output)}\n`).join(''));
  const systems = new Set(outputs.map(({ system }) => system)).size;
  return `benchmark load: ${counted(outputs.length, 'summary', 'summaries')} of ${counted(systems, 'system')}.`;
}
