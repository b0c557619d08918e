import { existsSync } from 'node:fs';
import { csvLine } from '../../client/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import {
  askedModel,
  type BenchmarkSet,
  csvLines,
  judgeSheets,
  makeSheets,
  panelCases,
  printPanel,
  printUsage,
  type Sheet,
  type Verdict,
  verdictSchema,
} from '../../lab/index.ts';
import { counted } from '../../text/index.ts';
import { one, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { askedStage, isAgreed, printCounts } from './make-with-model.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';
import { checkWritable, readSet, writeWhole } from './set-file.node.ts';

const HEADS = ['question', 'A', 'B', 'grade A', 'grade B', 'preferred'];
/** The first heading of a sheet tells the seed by which its sides are known. */
const SEED = /^id \(seed (\d{1,9})\)$/;
const WORDS = 250;

export const panelCommand = benchmarkCommand({
  summary: 'Have people or a model compare digests with one plain prompt, blind.',
  usage: 'SET --sheets FILE.csv [--judge]',
  flags: {
    sheets: {
      type: 'string',
      value: 'FILE.csv',
      about: 'the texts, side by side, to be graded; made if it is not there',
    },
    judge: { type: 'boolean', about: 'have the language model grade what nobody has graded' },
    words: { type: 'string', value: 'N', about: `most words of a text; default ${WORDS}` },
    model: { type: 'string', value: 'NAME', about: 'language model; default TESSERA_MODEL' },
    seed: { type: 'string', value: 'N', about: 'decides which text is A; default 1' },
    yes: { type: 'boolean', about: 'ask a language model without asking first' },
  },
  examples: [
    'tessera benchmark panel set.json --sheets panel.csv --yes',
    'tessera benchmark panel set.json --sheets panel.csv',
  ],
  takes: one('a benchmark set'),
  async run(values, [path], service, streams, signal) {
    const { sheets: file, judge = false, yes = false } = values;
    if (file === undefined) throw new UsageError('Say where the texts are, or shall go: --sheets FILE.csv.');
    const isThere = existsSync(file);
    const found = isThere ? readSheets(file) : null;
    const seed = found?.seed ?? wholeNumber('--seed', values.seed, 1, 0);
    const words = wholeNumber('--words', values.words, WORDS);
    const set = readSet(path);
    const cases = panelCases(set);
    if (cases.length === 0) throw new UsageError(`${path} has no case with an intent.`);
    checkWritable(file);
    let rows = found?.rows ?? [];
    if (!isThere || judge) {
      const deps = await service();
      const { model, done } = modelOf(deps, values.model, seed, signal);
      const calls = isThere ? rows.filter(({ verdict }) => verdict === null).length : cases.length;
      streams.stderr.write(
        `benchmark panel: ${isThere ? 'grades' : 'two answers'} for ${counted(calls, 'case')} by ${model.settings.model}.\n`,
      );
      if (!yes && !(await isAgreed(streams, signal))) return 1;
      if (!isThere) {
        const sheets = await makeSheets(cases, { words, seed }, model, deps, signal);
        rows = sheets.map((sheet) => ({ sheet, verdict: null }));
      }
      if (judge) {
        const open = rows.flatMap(({ sheet, verdict }) => (verdict === null ? [sheet] : []));
        const given = new Map((await judgeSheets(open, cases, model, deps)).map((each) => [each.id, each]));
        rows = rows.map(({ sheet, verdict }) => ({ sheet, verdict: verdict ?? given.get(sheet.id) ?? null }));
      }
      writeWhole(file, [[`id (seed ${seed})`, ...HEADS], ...rows.map(fieldsOf)].map(csvLine).join(''));
      streams.stderr.write(`${done()}\n`);
    }
    streams.stdout.write(`${toldOf(rows, set, seed, file)}\n`);
    return 0;
  },
});

interface Row {
  readonly sheet: Sheet;
  readonly verdict: Verdict | null;
}

function toldOf(rows: readonly Row[], set: BenchmarkSet, seed: number, file: string): string {
  const verdicts = rows.flatMap(({ verdict }) => verdict ?? []);
  if (verdicts.length > 0) return printPanel(verdicts, set, seed);
  return `${file} holds ${counted(rows.length, 'pair')} of texts. Grade A and B from 1 to 5 and name the preferred one, A or B, in each line; then call this again, or with --judge.`;
}

function fieldsOf({ sheet: { id, question, a, b }, verdict }: Row): (string | number)[] {
  return [id, question, a, b, verdict?.a ?? '', verdict?.b ?? '', verdict?.preferred ?? ''];
}

/** @throws UsageError for a line that cannot be read */
function readSheets(file: string): { readonly rows: Row[]; readonly seed: number } {
  const [{ text }] = readTextFiles([file]);
  const [[head = ''] = [], ...lines] = csvLines(text);
  const seed = SEED.exec(head)?.[1];
  if (seed === undefined) throw new UsageError(`The first line of ${file} is not that of a sheet.`);
  const rows = lines.map(([id = '', question = '', a = '', b = '', gradeA = '', gradeB = '', preferred = ''], n) => {
    const sheet = { id, question, a, b };
    if (`${gradeA}${gradeB}${preferred}`.trim() === '') return { sheet, verdict: null };
    const read = verdictSchema.safeParse({ id, a: gradeA, b: gradeB, preferred: preferred.trim().toUpperCase() });
    if (read.success) return { sheet, verdict: read.data };
    throw new UsageError(`Line ${n + 2} of ${file} needs two grades from 1 to 5 and A or B.`);
  });
  return { rows, seed: Number(seed) };
}

function modelOf(
  { models: { model: configured, prompts }, cache }: DigestDeps,
  named: string | undefined,
  seed: number,
  signal: AbortSignal,
) {
  const { model, stage } = askedStage('panel', configured, { model: named, seed });
  const asked = askedModel(stage, prompts, cache, {
    restart: false,
    retry: false,
    signal,
    concurrency: model.concurrency,
  });
  const done = () =>
    [printCounts({ ...asked.counts(), ...asked.calls() }), printUsage(stage.usage())].filter(Boolean).join('\n');
  return { model: asked, done };
}
