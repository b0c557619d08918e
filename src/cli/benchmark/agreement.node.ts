import {
  type AnnotationItem,
  agreementOf,
  annotationItems,
  BadRecordsError,
  type BenchmarkSet,
  decisionsOf,
  type Estimate,
  type Field,
  type FieldAgreement,
  isGraded,
  itemsOf,
  type KnownItem,
  type PairAgreement,
  printEstimate,
  questionItemsOf,
  SCALES,
  textTable,
} from '../../lab/index.ts';
import { UnreadableFileError } from '../../text/index.ts';
import { readJudgedRecords } from '../judged-records.ts';
import { parseFlags } from '../parse-flags.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { UsageError } from '../usage-error.ts';
import { readLabels } from './annotation/label-file.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { readSet } from './set-file.node.ts';

const TITLES: Readonly<Record<Field, string>> = {
  stated: 'stated: do the highlighted words state the key point?',
  helps: 'helps: does the key point help to answer the query?',
  attested: 'attested: does the document attest the answer of the nugget?',
  importance: 'importance: how much does a good report need the nugget?',
  answerable: 'answerable: does the text answer the question?',
  correct: 'correct: does it answer as the reference does?',
  entailed: 'entailed: does the text entail the claim?',
  reported: 'reported: does the sentence report the nugget?',
  outcome: 'outcome: what becomes of the sentence in ARGUE?',
  rating: 'rating: how likely is it that a reader of the documents asks this?',
};

/** How far people agree, as text for a terminal; intervals are 95% bootstrap intervals. */
function printFieldAgreements(fields: readonly FieldAgreement[]): string {
  return fields.map(printField).join('\n\n\n');
}

function printField({ field, items, annotators, labels, ...figures }: FieldAgreement): string {
  const { agreement, freeMarginal, pairs, withScores, answers, meanLevel } = figures;
  const given = SCALES[field].map((answer, place) => `${answer} ${answers[place]}`);
  // Counted from 1, as a rating is.
  const level = isGraded(field) ? `; mean level of ${answers.length}: ${printEstimate(fromOne(meanLevel), 2)}` : '';
  const sections = [
    `${TITLES[field]}\nlabels: ${labels}; items: ${items}; annotators: ${annotators.length} (${annotators.join(', ')})\nanswers: ${given.join(', ')}${level}`,
    textTable(
      ['all annotators', 'items', 'figure'],
      [
        ['agreement, %', String(agreement.n), printEstimate(percent(agreement), 1)],
        ['free-marginal kappa', String(freeMarginal.n), printEstimate(freeMarginal, 3)],
      ],
    ),
  ];
  if (pairs.length > 0) sections.push(printPairs(pairs));
  sections.push(...pairs.filter(({ items }) => items > 0).map((pair) => printConfusion(field, pair)));
  if (withScores !== null) {
    const { pearson, spearman } = withScores;
    const row = ['mean level', String(pearson.n), printEstimate(pearson, 3), printEstimate(spearman, 3)];
    sections.push(textTable(["with the model's usefulness", 'items', 'Pearson', 'Spearman'], [row]));
  }
  return sections.join('\n\n');
}

function printPairs(pairs: readonly PairAgreement[]): string {
  const isOrdered = pairs.some(({ weighted }) => weighted !== null);
  const head = ['pair', 'items', 'agreement, %', "Cohen's kappa", ...(isOrdered ? ['linear weights'] : [])];
  const rows = pairs.map(({ annotators, items, agreement, kappa, weighted }) => [
    annotators.join(' / '),
    String(items),
    printEstimate(percent(agreement), 1),
    printEstimate(kappa, 3),
    ...(weighted === null ? [] : [printEstimate(weighted, 3)]),
  ]);
  return textTable(head, rows);
}

function printConfusion(field: Field, { annotators: [first, second], confusion }: PairAgreement): string {
  const scale = SCALES[field];
  return textTable(
    [`${first} (rows) / ${second}`, ...scale],
    confusion.map((row, level) => [scale[level], ...row.map(String)]),
  );
}

function fromOne({ value, low, high, n }: Estimate): Estimate {
  const next = (level: number | null) => (level === null ? null : level + 1);
  return { value: next(value), low: next(low), high: next(high), n };
}

function percent({ value, low, high, n }: Estimate): Estimate {
  const times = (share: number | null) => (share === null ? null : 100 * share);
  return { value: times(value), low: times(low), high: times(high), n };
}

/** Says how far people who labelled a set agree with each other, and with the model that filtered it. */
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
    const files = paths.map(readLabels);
    const problems = files.flatMap(({ problems }) => problems);
    if (problems.length > 0) throw new BadRecordsError(problems, 'counted');
    for (const where of files.flatMap(({ torn }) => torn)) {
      stderr.write(`${where} was cut short when it was written, and is left out.\n`);
    }
    const all = decisionsOf(files.flatMap(({ labels }) => labels));
    const decisions = known === null ? all : all.filter(({ item }) => known.has(item));
    if (decisions.length < all.length) {
      stderr.write(`Labels left out, as ${first} has no such items: ${all.length - decisions.length}\n`);
    }
    if (decisions.length === 0) throw new UsageError('There is no label to count.');
    const fields = agreementOf(decisions, known);
    const drawn = known === null ? 'items' : 'cases';
    const note = `95% intervals by drawing ${drawn}${known === null ? '; name the set, or the records, first to draw its cases' : ''}`;
    stdout.write(
      values.json === true
        ? `${JSON.stringify({ drawn, fields }, null, 2)}\n`
        : `${printFieldAgreements(fields)}\n\n${note}\n`,
    );
    return 0;
  },
};

/** The items of a set, or of records with a task; null for a file of labels. */
function knownItems(path: string): ReadonlyMap<string, KnownItem> | null {
  const records = holdsRecords(path) ? (readJudgedRecords(readTextFiles([path])[0], 'counted') ?? []) : null;
  if (records === null && !holdsSet(path)) return null;
  const items = records === null ? setItems(readSet(path)) : records.flatMap(annotationItems);
  return new Map(items.map((item) => [item.id, { case: item.case, score: item.score }]));
}

function setItems(set: BenchmarkSet): readonly AnnotationItem[] {
  return [...itemsOf(set).items, ...questionItemsOf(set)];
}

/** Whether a file is one JSON object that is no label; a file of labels has one in each line. */
function holdsSet(path: string): boolean {
  const value = jsonIn(readFile(path));
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('item' in value);
}

/** Whether the first record of a file, or of its first line, names a task. */
function holdsRecords(path: string): boolean {
  const text = readFile(path);
  const [first = ''] = text.trimStart().split('\n');
  const value = jsonIn(text) ?? jsonIn(first);
  const record: unknown = Array.isArray(value) ? value[0] : value;
  return typeof record === 'object' && record !== null && 'task' in record;
}

/** Empty where it cannot be read, or breaks off within a character: read as labels it tells what is wrong. */
function readFile(path: string): string {
  try {
    return readTextFiles([path])[0].text;
  } catch (failure) {
    if (failure instanceof UnreadableFileError) return '';
    throw failure;
  }
}

/** Null for what is no JSON: it is read as labels, which tells what is wrong. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
