import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand as benchmarkRun } from '../../../src/cli/benchmark/run.node.ts';
import type { runJson } from '../../../src/cli/reports.node.ts';
import type { DigestDeps } from '../../../src/digest/index.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testDeps } from '../../support/test-deps.ts';
import { type CommandOutcome, runCommand } from './run-command.ts';

/** Where words stand in a document. */
function spot(document: string, words: string) {
  const start = CITY.find(({ id }) => id === document)?.text.indexOf(words) ?? -1;
  if (start < 0) throw new Error(`${document} does not say: ${words}`);
  return { document, start, end: start + words.length };
}

const FALL = 'Sales in the old town will fall as they did when the bridge was closed.';
const FELL = 'Sales in the old town fell by 8 percent when the main bridge was closed last year.';
const DRIVERS = 'Forty new drivers are needed before the line can open.';
const LINE = 'The second tram line will connect the station with the hospital in 2029.';

/** Something of everything: labels, questions with and without marks, key points, nuggets, a case with no references. */
export const HAY: BenchmarkSet = {
  name: 'hay',
  collections: [{ id: 'city', documents: CITY }],
  cases: [
    {
      id: 'sales',
      collection: 'city',
      intent: CITY_INTENT,
      domain: 'trade',
      insights: [
        { id: 'fall', text: 'Sales in the old town will fall.', documents: ['meeting', 'shops'] },
        { id: 'fell', text: 'Sales fell by 8 percent when the bridge was closed.', documents: ['shops'] },
        { id: 'malls', text: 'Customers may go to the malls.', documents: ['shops'] },
      ],
      passages: [
        { ...spot('meeting', FALL), insights: ['fall'] },
        { ...spot('shops', FELL), insights: ['fell', 'fall'] },
        { ...spot('shops', 'drive customers to the malls outside the city'), insights: ['malls'] },
      ],
      questions: [
        {
          question: 'By how much did sales fall?',
          answer: 'by 8 percent',
          document: 'shops',
          position: 1,
          relevant: true,
        },
        { question: 'What avoids copper rings?', answer: 'Slugs', document: 'garden', position: 5, relevant: false },
      ],
    },
    {
      id: 'trams',
      collection: 'city',
      intent: 'What will happen to the trams?',
      domain: 'traffic',
      insights: [
        { id: 'line', text: 'The second tram line will connect the station with the hospital.', documents: ['tram'] },
        { id: 'drivers', text: 'Forty new drivers are needed.', documents: ['tram'] },
      ],
      passages: [
        { ...spot('tram', LINE), insights: ['line'] },
        { ...spot('tram', DRIVERS), insights: ['drivers'] },
        { ...spot('tram', 'Construction closes the station square') },
      ],
      keyPoints: [{ text: 'Forty new drivers are needed.' }],
      nuggets: [{ id: 'n', question: 'Who is needed?', answers: [{ text: 'Forty new drivers', documents: ['tram'] }] }],
    },
    { id: 'all', collection: 'city', domain: 'traffic' },
  ],
  made: [],
};

export const BULLETS = { summary: { format: 'bullets' } };
export const MAP = { name: 'map', options: BULLETS };
export const RANDOM = {
  name: 'random',
  options: { ...BULLETS, selection: { strategy: 'random', size: { keyPoints: 4 } } },
};

/** To show and to test, as tests of all of them take time; an output has all its figures nevertheless. */
const FEW = ['labelled.joint', 'summhay.joint', 'sources.coverage'];

interface Files {
  readonly [name: string]: unknown;
}

/** A folder with these files: lists as JSON Lines, text as it is, anything else as JSON. */
export function folderOf(files: Files): string {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files)) {
    const text =
      typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? value.map((line) => `${JSON.stringify(line)}\n`).join('')
          : JSON.stringify(value);
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

interface RunGiven {
  readonly sets?: readonly unknown[];
  readonly systems?: readonly unknown[];
  /** Of the configuration. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Beside `hay.json`. */
  readonly files?: Files;
  readonly args?: readonly string[];
  readonly deps?: DigestDeps;
  readonly typed?: string;
  readonly signal?: AbortSignal;
}

/** Runs systems over sets that are in a folder of their own. */
export async function runSystems(given: RunGiven): Promise<CommandOutcome & { readonly folder: string }> {
  const { sets = [{ files: ['hay.json'] }], systems = [MAP, RANDOM], more, files = {}, args = [] } = given;
  const folder = folderOf({
    'hay.json': HAY,
    'run.json': { name: 'A run', sets, systems, metrics: FEW, ...more },
    ...files,
  });
  const { deps = testDeps(), typed, signal } = given;
  const outcome = await runCommand(benchmarkRun, [join(folder, 'run.json'), ...args], deps, {
    ...(typed !== undefined && { typed }),
    ...(signal && { signal }),
  });
  return { ...outcome, folder };
}

type JsonSet = ReturnType<typeof runJson>['sets'][number];

/** The same, as JSON; its sets. */
export async function setsOf(given: RunGiven) {
  const outcome = await runSystems({ ...given, args: ['--json', ...(given.args ?? [])] });
  const { sets }: { readonly sets: readonly JsonSet[] } = JSON.parse(outcome.stdout);
  return { ...outcome, sets };
}

/** Figures of each output by case and system, but for those of a kind. */
export function figuresIn({ outputs }: JsonSet, but = /^$/): Record<string, JsonSet['outputs'][number]['figures']> {
  return Object.fromEntries(
    outputs.map(({ datum, arm, figures }) => [
      `${datum}: ${arm}`,
      Object.fromEntries(Object.entries(figures).filter(([key]) => !but.test(key))),
    ]),
  );
}
