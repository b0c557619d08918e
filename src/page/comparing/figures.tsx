import type { Stage } from '../../contract/index.ts';
import { describeOption, leavesOf, optionName, sameValue } from '../parts/options.ts';
import { Table } from '../parts/table.tsx';
import { duration, number, percent, signed } from '../parts/words.ts';
import { intentFacts, problemOf } from '../reading/intent.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';

interface PairProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** Fields of a digest's selection that are results, not options. */
const RESULTS = new Set([
  'expectedSize',
  'clippedMass',
  'residual',
  'totalVariation',
  'landmarks',
  'objective',
  'logDeterminant',
  'proven',
  'gap',
  'stoppedBy',
  'gate',
]);

/** The resolved options of a digest, requested or default, by path. */
function resolvedOptions({ digest, request }: StoredDigest): ReadonlyMap<string, unknown> {
  const selection = Object.fromEntries(Object.entries(digest.selection).filter(([name]) => !RESULTS.has(name)));
  const { models, ...engine } = digest.engine;
  const summary = { format: 'default', maxWords: 'default', ...request.summary };
  return new Map(leavesOf({ selection, summary, engine: { ...engine, stages: models } }));
}

export function differingOptions({ left, right }: PairProps) {
  const [ofLeft, ofRight] = [resolvedOptions(left), resolvedOptions(right)];
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])]
    .filter((path) => !sameValue(ofLeft.get(path), ofRight.get(path)))
    .map((path) => ({ path, left: describeOption(ofLeft.get(path)), right: describeOption(ofRight.get(path)) }));
}

interface FigureRow {
  readonly name: string;
  readonly meaning: string;
  readonly left: string;
  readonly right: string;
  /** Right minus left; null if they cannot be compared. */
  readonly difference: string | null;
  readonly better: 'left' | 'right' | null;
  /** Which direction is better, or why nothing can be compared. */
  readonly note: string;
  /** The reason why they cannot be compared; null if they can. */
  readonly doubt: string | null;
}

interface Figure {
  readonly name: string;
  readonly meaning: string;
  readonly better: 'more' | 'less' | 'neither';
  readonly value: (digest: StoredDigest['digest']) => number | null;
  readonly write: (value: number) => string;
  /** Options that have to be the same for a comparison, and the reason. */
  readonly needs?: { readonly paths: RegExp; readonly intent: boolean; readonly doubt: string };
}

type Metric = keyof StoredDigest['digest']['metrics'];

function metric(
  key: Metric,
  write: Figure['write'],
  better: Figure['better'],
  [name, meaning]: readonly [string, string],
  needs?: Figure['needs'],
): Figure {
  return { name, meaning, better, write, value: ({ metrics }) => metrics[key], ...(needs && { needs }) };
}

const SIMILARITY = {
  paths: /^(?:engine\.encoder|selection\.kernel\.similarity)$/,
  intent: false,
  doubt: 'similarity is measured differently',
};
const RELEVANCE = {
  paths: /^(?:engine\.relevanceEncoder|selection\.relevance\.(?:encoder|surroundings|estimate))$/,
  intent: true,
  doubt: 'relevance is measured differently',
};
const OBJECTIVE = {
  paths: /^(?:selection\.(?:strategy|kernel|relevance|salience|coverage|sources|background)|engine\.encoder)/,
  intent: true,
  doubt: 'strategy, kernel or weights differ',
};

const FIGURES: readonly Figure[] = [
  metric('documentCoverage', percent, 'more', [
    'Documents covered',
    'share of the documents with a selected key point',
  ]),
  metric('citedDocuments', percent, 'more', ['Documents cited', 'share of the documents cited at all']),
  metric(
    'redundancy',
    number,
    'less',
    ['Redundancy', 'how similar the selected key points are; 1 at most'],
    SIMILARITY,
  ),
  metric(
    'relevance',
    number,
    'more',
    ['Relevance', 'how well the selected key points fit the question; 1 at most'],
    RELEVANCE,
  ),
  metric('compression', percent, 'neither', ['Compression', 'words of the summary for each word read']),
  metric('words', number, 'neither', ['Words', 'length of the summary']),
  metric('wordsPerSentence', number, 'neither', ['Words per sentence', 'how long its sentences are']),
  {
    name: 'Objective',
    meaning: 'what the strategy maximises',
    better: 'more',
    value: ({ selection }) => selection.objective,
    write: number,
    needs: OBJECTIVE,
  },
];

export function compareFigures(pair: PairProps): FigureRow[] {
  return FIGURES.flatMap((figure) => {
    const values = [figure.value(pair.left.digest), figure.value(pair.right.digest)] as const;
    return values.every((value) => value === null) ? [] : [rowOf(figure, ...values, doubtOf(figure, pair))];
  });
}

function doubtOf({ needs }: Figure, { left, right }: PairProps): string | null {
  if (needs === undefined) return null;
  if (needs.intent && !sameValue(left.request.intent ?? null, right.request.intent ?? null)) {
    return 'the questions differ';
  }
  const [ofLeft, ofRight] = [resolvedOptions(left), resolvedOptions(right)];
  const differs = [...ofLeft.keys()].some(
    (path) => needs.paths.test(path) && !isSameRounded(ofLeft.get(path), ofRight.get(path)),
  );
  return differs ? needs.doubt : null;
}

/** Computed numbers may differ by rounding. */
function isSameRounded(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= 1e-9 * Math.abs(one);
  return sameValue(one, other);
}

function rowOf(figure: Figure, left: number | null, right: number | null, doubt: string | null): FigureRow {
  const { name, meaning, write, better } = figure;
  const shown = (value: number | null) => (value === null ? '–' : write(value));
  const note = doubt === null ? `${better} is better` : `not comparable: ${doubt}`;
  const row = { name, meaning, left: shown(left), right: shown(right), note, doubt };
  if (doubt !== null || left === null || right === null) return { ...row, difference: null, better: null };
  if (row.left === row.right) return { ...row, difference: 'none', better: null };
  // The difference of percentages is in percentage points.
  const difference = signed(right - left, write).replace('%', ' pp');
  if (better === 'neither') return { ...row, difference, better: null };
  return { ...row, difference, better: right > left === (better === 'more') ? 'right' : 'left' };
}

export function Figures({ left, right }: PairProps) {
  return (
    <>
      <OptionsTable left={left} right={right} />
      <section class="cmp-figures" aria-labelledby="cmp-metrics">
        <h2 id="cmp-metrics">Figures</h2>
        <Table
          label="Figures of both"
          class="cmp-wide"
          heads={['What', '#Left', '#Right', '#Difference', 'Better']}
          rows={compareFigures({ left, right }).map((row) => [
            <Named key="name" name={row.name} detail={<span class="muted cmp-meaning">{row.meaning}</span>} />,
            <Value key="left" text={row.left} isBetter={row.better === 'left'} />,
            <Value key="right" text={row.right} isBetter={row.better === 'right'} />,
            row.difference ?? '–',
            <span key="note" class="muted">
              {row.note}
            </span>,
          ])}
        />
        <p class="muted">pp: percentage points.</p>
      </section>
      <Timings left={left} right={right} />
    </>
  );
}

function Named({ name, detail }: { readonly name: string; readonly detail: preact.ComponentChildren }) {
  return (
    <>
      {name} {detail}
    </>
  );
}

function Value({ text, isBetter }: { readonly text: string; readonly isBetter: boolean }) {
  return (
    <>
      {text}
      {isBetter && (
        <span class="cmp-better">
          {' '}
          <span aria-hidden="true">✓</span>
          <span class="unseen">better</span>
        </span>
      )}
    </>
  );
}

function OptionsTable({ left, right }: PairProps) {
  const rows = differingOptions({ left, right });
  const intents = [left.request.intent, right.request.intent];
  const hasOtherIntent = !sameValue(intents[0] ?? null, intents[1] ?? null);
  const questions = intents.map((intent) =>
    [problemOf(intent) || 'none', ...intentFacts(intent).map(({ name, text }) => `${name}: ${text}`)].join('. '),
  );
  const { encoder, writer, extractor } = left.digest.engine;
  const other = right.digest.engine;
  const hasOneEngine = encoder === other.encoder && writer === other.writer && extractor === other.extractor;
  return (
    <section class="cmp-figures" aria-labelledby="cmp-options">
      <h2 id="cmp-options">Options that differ</h2>
      {rows.length === 0 && !hasOtherIntent ? (
        <p>None: both were made in the same way.</p>
      ) : (
        <Table
          label="Table of the options that differ"
          heads={['Option', 'Left', 'Right']}
          rows={[
            ...(hasOtherIntent ? [['Question', ...questions]] : []),
            ...rows.map(({ path, ...row }) => [
              <Named
                key={path}
                name={optionName(path)}
                detail={optionName(path) !== path && <code class="muted cmp-meaning">{path}</code>}
              />,
              row.left,
              row.right,
            ]),
          ]}
        />
      )}
      <p class="muted">
        Defaults are included; numbers that are computed from the documents may differ by themselves.
        {hasOneEngine && ` Engine of both: key points by ${extractor}, similarity by ${encoder}, written by ${writer}.`}
      </p>
    </section>
  );
}

export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  extract: 'Reading the documents',
  encode: 'Comparing key points',
  rank: 'Matching them with the question',
  select: 'Selecting key points',
  write: 'Writing',
};

function Timings({ left, right }: PairProps) {
  const [ofLeft, ofRight] = [left.digest.timings, right.digest.timings];
  const total = (timings: typeof ofLeft) => duration(Object.values(timings).reduce((sum, each) => sum + each, 0));
  return (
    <details>
      <summary>
        Time taken: {total(ofLeft)} and {total(ofRight)}
      </summary>
      <p class="muted">
        Documents that were read before are not read again, so the later digest is often the faster one.
      </p>
      <Table
        label="Time taken by stage"
        heads={['Stage', '#Left', '#Right']}
        rows={(Object.keys(ofLeft) as Stage[]).map((stage) => [
          STAGE_NAMES[stage],
          duration(ofLeft[stage]),
          duration(ofRight[stage]),
        ])}
      />
    </details>
  );
}
