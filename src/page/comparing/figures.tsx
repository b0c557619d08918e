import type { ComponentChildren } from 'preact';
import { FIGURES, type Figure } from '../parts/figures.ts';
import { describeLeaf, leavesOf, optionName } from '../parts/options.ts';
import { Table } from '../parts/table.tsx';
import { signed } from '../parts/words.ts';
import { intentFacts, problemOf } from '../reading/intent.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';

export interface Pair {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** Fields of a digest's selection that are results, not options. */
const RESULTS =
  /^selection\.(?:expectedSize|clippedMass|residual|totalVariation|landmarks|objective|logDeterminant|proven|gap|stoppedBy|gate)\b/;

/** The question and the resolved options of a digest, requested or default, by path. */
function resolvedOptions({ digest, request }: StoredDigest): ReadonlyMap<string, unknown> {
  const { models, ...engine } = digest.engine;
  const summary = { format: 'default', maxWords: 'default', ...request.summary };
  const facts = intentFacts(request.intent).map(({ name, text }) => `${name}: ${text}`);
  const intent = [problemOf(request.intent), ...facts].filter(Boolean).join('. ') || 'none';
  const leaves = leavesOf({ intent, selection: digest.selection, summary, engine: { ...engine, stages: models } });
  return new Map(leaves.filter(([path]) => !RESULTS.test(path)));
}

export function differingOptions({ left, right }: Pair) {
  const [ofLeft, ofRight] = [resolvedOptions(left), resolvedOptions(right)];
  // The fields of objects come in one order.
  const differs = (path: string) => JSON.stringify(ofLeft.get(path)) !== JSON.stringify(ofRight.get(path));
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])].filter(differs).map((path) => ({
    path,
    left: describeLeaf([path, ofLeft.get(path)]),
    right: describeLeaf([path, ofRight.get(path)]),
  }));
}

interface FigureRow extends Pick<Figure, 'name' | 'meaning'> {
  readonly left: string;
  readonly right: string;
  /** Right minus left; null if they cannot be compared. */
  readonly difference: string | null;
  readonly better: 'left' | 'right' | null;
  /** Which direction is better, or why nothing can be compared. */
  readonly note: string;
}

export function compareFigures(pair: Pair): FigureRow[] {
  const differing = differingOptions(pair).map(({ path }) => path);
  return FIGURES.flatMap(({ key, name, meaning, write, better, needs }): FigureRow[] => {
    const [left, right] = [pair.left.digest.metrics[key], pair.right.digest.metrics[key]];
    if (left === null && right === null) return [];
    const shown = (value: number | null) => (value === null ? '–' : write(value));
    const other = differing.filter((path) => needs?.test(path)).map((path) => optionName(path).toLowerCase());
    const note = other.length === 0 ? `${better} is better` : `not comparable: other ${other.join(' and ')}`;
    const row = { name, meaning, left: shown(left), right: shown(right), note, difference: null, better: null };
    if (other.length > 0 || left === null || right === null) return [row];
    if (row.left === row.right) return [{ ...row, difference: 'none' }];
    // The difference of percentages is in percentage points.
    const difference = signed(right - left, write).replace('%', ' pp');
    if (better === 'neither') return [{ ...row, difference }];
    return [{ ...row, difference, better: right > left === (better === 'more') ? 'right' : 'left' }];
  });
}

export function Figures({ left, right }: Pair) {
  const options = differingOptions({ left, right });
  return (
    <>
      <h2>Options that differ</h2>
      {options.length === 0 ? (
        <p>None: both were made in the same way.</p>
      ) : (
        <Table
          label="Table of the options that differ"
          heads={['Option', 'Left', 'Right']}
          rows={options.map(({ path, left, right }) => [optionName(path), left, right])}
        />
      )}
      <p class="muted">Defaults are included; numbers that are computed from the documents may differ by themselves.</p>
      <h2>Figures</h2>
      <Table
        label="Figures of both"
        class="cmp-wide"
        heads={['What', '#Left', '#Right', '#Difference', 'Better']}
        rows={compareFigures({ left, right }).map((row) => [
          <Head key="name" name={row.name}>
            {row.meaning}
          </Head>,
          [row.left, row.better === 'left' && BETTER],
          [row.right, row.better === 'right' && BETTER],
          row.difference ?? '–',
          row.note,
        ])}
      />
      <p class="muted">pp: percentage points.</p>
    </>
  );
}

/** What a row is about, with a note below. */
function Head({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      {name} <span class="muted cmp-meaning">{children}</span>
    </>
  );
}

const BETTER = (
  <strong class="cmp-better">
    {' '}
    <span aria-hidden="true">✓</span>
    <span class="unseen">better</span>
  </strong>
);
