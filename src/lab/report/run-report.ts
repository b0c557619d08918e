import { type JudgeRecord, number } from '../../evaluation/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';
import type { Making } from '../benchmark-set.ts';
import { printJudge } from '../results/judge-identity.ts';
import type { SystemRecord } from '../run/plan-identity.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { isFileSystem, type System } from '../run/system.ts';
import { judgePrompts, printUsage, provenanceCell, provenanceLines, shortHash } from './provenance.ts';
import { type Chart, counted, type Report, type Section, type Table } from './report.ts';
import { estimateCell, failedSections, mainOf, resultSections } from './result-sections.ts';

export function comparisonReport(run: SetRun, systems: readonly System[]): Report {
  const { name, baseline, arms, data, skipped } = run.report;
  return {
    title: name,
    about: [
      `${counted(arms.length, 'system')} over ${counted(data, 'case')}, against "${baseline}"`,
      ...leftOut(skipped),
    ],
    sections: [...setSections(run), systemsSection(systems, run.records)],
  };
}

export function runReport(
  name: string,
  judge: JudgeRecord,
  runs: readonly SetRun[],
  systems: readonly System[],
): Report {
  const skipped = [...new Set(runs.flatMap(({ report }) => report.skipped))];
  const records = Object.assign({}, ...runs.map((run) => run.records));
  return {
    title: name,
    about: [
      `scores by ${printJudge(judge)}, but for those by labels${judgePrompts(judge)}`,
      ...leftOut(skipped),
      ...runs.map(countsOf),
      ...provenanceLines(runs),
    ],
    sections: [
      overviewSection(runs.map(({ report }) => report)),
      ...runs.map((run) => ({ title: run.set.name, parts: [], sections: setSections(run) })),
      systemsSection(systems, records),
    ],
  };
}

function leftOut(skipped: readonly string[]): string[] {
  return skipped.length === 0 ? [] : [`left out, as they need a language model: ${skipped.join('; ')}`];
}

export function countsOf({ set: { name, cases, collections }, report }: SetRun): string {
  const asked = new Set(cases.map(({ collection }) => collection));
  const documents = collections.filter(({ id }) => asked.has(id)).reduce((sum, each) => sum + each.documents.length, 0);
  const questions = cases.reduce((sum, each) => sum + (each.questions?.length ?? 0), 0);
  return [
    `${name}: ${counted(report.arms.length, 'system')}, the baseline is "${report.baseline}"`,
    counted(cases.length, 'case'),
    counted(asked.size, 'collection'),
    counted(documents, 'document'),
    counted(questions, 'question'),
  ].join('; ');
}

function overviewSection(reports: readonly SetReport[]): Section {
  const systems = [...new Set(reports.flatMap(({ arms }) => arms.map(({ name }) => name)))];
  const charts = reports.flatMap((report): Chart[] => {
    const main = mainOf(report);
    if (main === undefined) return [];
    const rows = report.arms.map(({ name, figures }) => ({
      ...figures[main.key],
      name,
      isStrong: name === report.baseline,
    }));
    const line = report.arms.find(({ name }) => name === report.baseline)?.figures[main.key].value ?? null;
    return [{ kind: 'intervals', title: `${report.name}: ${main.title}`, rows, line }];
  });
  const table: Table = {
    kind: 'table',
    title: 'means over the cases, with 95% bootstrap intervals',
    heads: ['system', ...reports.map((report) => `${report.name}: ${mainOf(report)?.title ?? '–'}`)],
    rows: systems.map((system) => [
      system,
      ...reports.map((report) => {
        const [main, arm] = [mainOf(report), report.arms.find(({ name }) => name === system)];
        return main === undefined || arm === undefined ? '–' : estimateCell(arm, main.key, main.digits);
      }),
    ]),
    isPageOnly: reports.length < 2,
  };
  return { title: 'Overview', note: 'The broken line is the mean of the baseline.', parts: [...charts, table] };
}

function setSections(setRun: SetRun): Section[] {
  const { set, run, report } = setRun;
  return [
    ...makingSections(set.made),
    ...matrixSections(report),
    ...resultSections(report),
    ...spentSections(setRun),
    ...warningSections(report),
    ...failedSections(run.failed),
  ];
}

const MATRIX_SCORES = ['labelled', 'summhay'].flatMap((kind) =>
  ['coverage', 'citation', 'joint'].map((name) => `${kind}.${name}`),
);

/** Scores by summariser and retriever, as in table 2 of SummHay (Laban et al. 2024, section 5). */
function matrixSections({ matrix, metrics, main, arms }: SetReport): Section[] {
  if (matrix === null) return [];
  const scores = metrics.filter(({ key }) => MATRIX_SCORES.includes(key));
  const shown = scores.length > 0 ? scores : metrics.filter(({ key }) => key === main);
  const parts = shown.map(({ key, title, digits, isPooled }): Table => {
    const over = isPooled ? ', over the insights of all cases as one' : '';
    return {
      kind: 'table',
      title: `${title}, by summariser and retriever${over}, with 95% bootstrap intervals`,
      heads: ['summariser', ...matrix.retrievers],
      rows: matrix.rows.map(({ summariser, systems }) => [
        summariser,
        ...systems.map((name) => {
          const arm = arms.find((each) => each.name === name);
          return arm === undefined ? '–' : estimateCell(arm, key, digits);
        }),
      ]),
    };
  });
  return [{ title: 'Summarisers by retrievers', parts }];
}

export function warningSections({ warnings, unreadable }: SetReport): Section[] {
  const rows = warnings.map(({ system, outputs, warning }) => [system, outputs, warning]);
  const verdicts = ['(all)', unreadable, 'unreadable verdicts of the language model, which credit nothing'];
  const all = unreadable > 0 ? [...rows, verdicts] : rows;
  if (all.length === 0) return [];
  const heads = ['system', 'outputs', 'the first of them'];
  return [{ title: 'Warnings', parts: [{ kind: 'table', title: 'warnings', heads, rows: all }] }];
}

const SPENT = [
  { key: 'digest.tokens', title: 'tokens', digits: 0 },
  { key: 'digest.cost', title: 'cost', digits: 4 },
] as const;

/** Model usage of all outputs, including those of earlier runs. */
function spentSections({ run: { made }, report: { arms } }: SetRun): Section[] {
  const shown = SPENT.filter(({ key }) => made.some(({ result: { figures } }) => (figures[key] ?? 0) > 0));
  const results = [...new Set(made.map(({ result }) => result))];
  const all = printUsage(results.map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE));
  if (shown.length === 0 && all === '') return [];
  const rows = arms.map(({ name, digests }) => {
    const own = made.filter(({ item }) => item.arm === name);
    const sums = shown.flatMap(({ key, digits }) => {
      const known = own.flatMap(({ result: { figures } }) => figures[key] ?? []);
      const sum = known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
      const few = known.length < digests ? ` n=${known.length}` : '';
      return [number(sum && sum / known.length, digits) + few, number(sum, digits)];
    });
    return [name, digests, ...sums];
  });
  const heads = ['system', 'outputs', ...shown.flatMap(({ title }) => [`${title} per output`, `${title} in all`])];
  const table: Table = {
    kind: 'table',
    title: 'tokens and cost of choosing and writing',
    heads,
    rows,
    isPageOnly: true,
  };
  const note = `Documents are read once for all systems, which is not in the table.${all === '' ? '' : ` Reading, writing and judging of all outputs, of earlier runs too: ${all}.`}`;
  return [{ title: 'Tokens and cost', note, parts: shown.length > 0 ? [table] : [] }];
}

function makingSections(made: readonly Making[]): Section[] {
  if (made.length === 0) return [];
  const steps: Table = {
    kind: 'table',
    title: 'steps in order; prompts by the beginning of their SHA-256',
    heads: ['step', 'model', 'seed', 'prompts', 'options', 'counts'],
    rows: made.map(({ step, version, seed, model, prompts, options, counts }) => [
      `${step}, version ${version}`,
      model === null ? 'none' : terms({ ...model }),
      seed,
      terms(Object.fromEntries(Object.entries(prompts).map(([id, hash]) => [id, shortHash(hash)]))),
      terms(options),
      terms(counts),
    ]),
    isPageOnly: true,
  };
  return [{ title: 'How it was made', parts: [steps] }];
}

function terms(values: Readonly<Record<string, string | number | boolean | null>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return given.length === 0 ? '–' : given.map(([term, value]) => `${term}: ${value}`).join('\n');
}

function systemsSection(systems: readonly System[], records: Readonly<Record<string, SystemRecord>>): Section {
  const rows = systems.map((system) => {
    const made = provenanceCell(records[system.name]);
    if (isFileSystem(system)) return [system.name, 'outputs from a file', 'as the file tells, or all', made];
    const { name, options, retrieval, sizedBy } = system;
    const size = sizedBy === undefined ? '' : `\nas many key points as "${sizedBy}" selected of the same case`;
    const given = retrieval === undefined ? 'all, in the order of the collection' : JSON.stringify(retrieval);
    return [name, JSON.stringify(options) + size, given, made];
  });
  const heads = ['system', 'options', 'documents given', 'made by'];
  const table: Table = { kind: 'table', title: 'options as they were given', heads, rows, isPageOnly: true };
  return { title: 'Systems', parts: [table] };
}
