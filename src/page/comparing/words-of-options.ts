import { OWN_LABELS } from '../parts/strategies.ts';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { leavesOf, sameValue } from './option-leaves.ts';

/** An option that differs, in words. */
interface OptionRow {
  readonly name: string;
  /** What the API calls it. */
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

const NAMES: Readonly<Record<string, string>> = {
  'selection.preset': 'Preset',
  'selection.strategy': 'Strategy',
  'selection.size': 'Number of key points',
  'selection.seed': 'Seed',
  'selection.refine': 'Exchange of selected key points',
  'selection.kernel.similarity': 'Similarity measure',
  'selection.kernel.form': 'Form of the kernel',
  'selection.kernel.sigma': 'Width of the kernel',
  'selection.kernel.idf': 'Weight of rare words',
  'selection.relevance.form': 'Form of relevance',
  'selection.relevance.weight': 'Weight of relevance',
  'selection.relevance.gate': 'Minimum relevance (gate)',
  'selection.relevance.surroundings': 'Weight of surrounding sentences',
  'selection.relevance.facets': 'Parts of the question',
  'selection.relevance.encoder': 'Encoder for relevance',
  'selection.relevance.estimate': 'Relevance as a probability',
  'selection.salience.weight': 'Weight of repetition',
  'selection.salience.threshold': 'Similarity that counts as repetition',
  'selection.coverage.weight': 'Weight of covering many documents',
  'selection.coverage.threshold': 'Similarity that counts as covered',
  'selection.sources.weight': 'Weight of further sources',
  'selection.support.threshold': 'Similarity at which key points are cited together',
  'selection.background.weight': 'Weight of what the reader knows',
  ...Object.fromEntries(
    Object.entries(OWN_LABELS).flatMap(([key, labels]) =>
      Object.entries(labels).map(([field, label]) => [`selection.${key}.${field}`, label]),
    ),
  ),
  'summary.format': 'Format',
  'summary.maxWords': 'Maximum words',
  'engine.extractor': 'Key points found by',
  'engine.encoder': 'Encoder',
  'engine.relevanceEncoder': 'Encoder for relevance',
  'engine.matrix': 'Matrix products',
  'engine.writer': 'Text written by',
  'engine.model': 'Language model',
};

/** What came of a selection, beside its options. */
const FACTS = new Set([
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

/** The resolved options of a digest: what it was made by, whether asked for or by default. */
export function resolvedOptions({ digest, request }: StoredDigest): ReadonlyMap<string, unknown> {
  const selection = Object.fromEntries(Object.entries(digest.selection).filter(([name]) => !FACTS.has(name)));
  const { models, ...engine } = digest.engine;
  const summary = { format: 'default', maxWords: 'default', ...request.summary };
  const leaves = leavesOf({ selection, summary, engine: { ...engine, stages: models } });
  return new Map(leaves.map(({ path, value }) => [path.join('.'), value]));
}

/** The resolved options in which two digests differ. */
export function differingOptions(left: StoredDigest, right: StoredDigest): OptionRow[] {
  const [ofLeft, ofRight] = [resolvedOptions(left), resolvedOptions(right)];
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])]
    .filter((path) => !sameValue(ofLeft.get(path), ofRight.get(path)))
    .map((path) => ({
      name: optionName(path),
      path,
      left: describeOption(ofLeft.get(path)),
      right: describeOption(ofRight.get(path)),
    }));
}

/** What an option is called; its path in the API where it has no name here. */
export function optionName(path: string): string {
  return NAMES[path] ?? path;
}

/** Everything that options set, in words; null where that is nothing. */
export function describeOptions(options: object): string | null {
  const told = leavesOf({ ...options }).map(
    ({ path, value }) => `${optionName(path.join('.'))}: ${describeOption(value)}`,
  );
  return told.length === 0 ? null : told.join('; ');
}

/** The value of an option as people read it. */
export function describeOption(value: unknown): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(Number(value.toPrecision(3)));
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describeOption).join('; ');
  const fields: Readonly<Record<string, unknown>> = { ...value };
  if (typeof fields.keyPoints === 'number') return `${fields.keyPoints} key points`;
  if (typeof fields.words === 'number') return `${fields.words} words`;
  if (typeof fields.percentile === 'number') return `percentile ${fields.percentile}`;
  return Object.entries(fields)
    .filter(([, each]) => each !== undefined && each !== null)
    .map(([name, each]) => `${name} ${describeOption(each)}`)
    .join(', ');
}
