import type { DigestRequest, Readiness } from '../../contract/index.ts';
import { OWN_LABELS, type SizeKind, STRATEGIES, type Strategy, type StrategyName } from './strategies.ts';
import { count } from './words.ts';

export type DigestOptions = Pick<DigestRequest, 'selection' | 'summary' | 'engine'>;
type Selection = NonNullable<DigestOptions['selection']>;

export function strategyOf(name: StrategyName): Strategy {
  const found = STRATEGIES.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`no strategy "${name}"`);
  return found;
}

export function strategyIn(selection: Selection = {}): Strategy {
  return strategyOf(selection.strategy ?? (selection.preset === 'published' ? 'dpp-sample' : 'dpp-map'));
}

export function sizeKindOf(size: Selection['size'] | null): SizeKind | undefined {
  if (size === undefined || size === null) return undefined;
  if (size === 'auto') return 'auto';
  return 'keyPoints' in size ? 'keyPoints' : 'words';
}

type OptionLeaf = readonly [path: string, value: unknown];

/** Objects treated as one value, as in experiments (`docs/experiments.md`). */
const WHOLE = /^(?:selection\.size|selection\.coverage\.threshold|engine\.stages\.[^.]+)$/;

/** All set values with their paths. Null is a value, undefined is not. */
export function leavesOf(fields: object, above = ''): OptionLeaf[] {
  return Object.entries(fields).flatMap(([name, value]): OptionLeaf[] => {
    const path = above + name;
    if (value === undefined) return [];
    const isBranch = typeof value === 'object' && value !== null && !Array.isArray(value) && !WHOLE.test(path);
    return isBranch ? leavesOf(value, `${path}.`) : [[path, value]];
  });
}

/** The options that set these values; later ones win. */
export function optionsFrom(leaves: readonly OptionLeaf[]): DigestOptions {
  const options: Record<string, unknown> = {};
  for (const [path, value] of leaves) {
    const names = path.split('.');
    let place = options;
    for (const name of names.slice(0, -1)) {
      place[name] ??= {};
      place = place[name] as Record<string, unknown>; // made in the line before, or by an earlier leaf beside it
    }
    place[names[names.length - 1]] = value;
  }
  return options;
}

type ModelDefaults = Pick<Readiness, 'extractor' | 'writer'>;

const EMBEDDED: ModelDefaults = { extractor: 'sentences', writer: 'compose' };

/** Sets options by path; undefined restores the default. Drops options that the strategy or the engine does not use. */
export function withOptions(
  options: DigestOptions,
  changes: Readonly<Record<string, unknown>>,
  defaults: ModelDefaults = EMBEDDED,
): DigestOptions {
  const kept = leavesOf(options).filter(([path]) => !Object.hasOwn(changes, path));
  const leaves = [...kept, ...Object.entries(changes).filter(([, value]) => value !== undefined)];
  const changed = optionsFrom(leaves);
  const { sizes, isSampled } = strategyIn(changed.selection);
  const size = sizeKindOf(changed.selection?.size);
  const isIdle: Readonly<Record<string, boolean>> = {
    'selection.size': size !== undefined && !sizes.includes(size),
    'selection.seed': !isSampled,
    'engine.model': !asksModel(changed, defaults),
  };
  return optionsFrom(leaves.filter(([path]) => !isIdle[path]));
}

export function asksModel({ selection, engine }: DigestOptions, defaults: ModelDefaults = EMBEDDED): boolean {
  if (strategyIn(selection).asksModel || selection?.relevance?.facets === 'llm') return true;
  return (engine?.extractor ?? defaults.extractor) === 'llm' || (engine?.writer ?? defaults.writer) === 'llm';
}

export const ENGINES = {
  embedded: { 'engine.extractor': 'sentences', 'engine.writer': 'compose' },
  llm: { 'engine.extractor': 'auto', 'engine.writer': 'llm' },
} as const;

/** `mixed` if the steps have different engines, undefined if none is named. */
export function engineKindOf({ engine }: DigestOptions): keyof typeof ENGINES | 'mixed' | undefined {
  const { extractor, writer } = engine ?? {};
  if (extractor === undefined && writer === undefined) return undefined;
  if (extractor === 'sentences' && writer === 'compose') return 'embedded';
  return extractor !== 'sentences' && writer === 'llm' ? 'llm' : 'mixed';
}

/** Plain words for those of the API that only experts know. */
const PLAIN: Readonly<Record<string, string>> = {
  encoder: 'comparison model',
  facets: 'parts of the question',
  gate: 'cut-off',
  idf: 'rare words',
  kernel: 'comparison',
  salience: 'agreement',
  sigma: 'width',
};

/** The name of an option as people read it: `selection.relevance.weight` is "Relevance weight". */
export function optionName(path: string): string {
  const [, key, field] = path.split('.');
  const words = path
    .replace(/^(?:selection|summary|engine)\./, '')
    .replace(/\.|(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\w+/g, (word) => PLAIN[word] ?? word);
  return OWN_LABELS[key]?.[field] ?? words[0].toUpperCase() + words.slice(1);
}

/** The value of an option; of a strategy its title. */
export function describeLeaf([path, value]: OptionLeaf): string {
  const strategy = path === 'selection.strategy' ? STRATEGIES.find(({ name }) => name === value) : undefined;
  return strategy?.title.toLowerCase() ?? describeOption(value);
}

export function describeOption(value: unknown): string {
  if (value === undefined) return 'not set';
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(Number(value.toPrecision(3)));
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describeOption).join('; ');
  const fields: Readonly<Record<string, unknown>> = { ...value };
  if (typeof fields.keyPoints === 'number') return count(fields.keyPoints, 'key point');
  if (typeof fields.words === 'number') return count(fields.words, 'word');
  return Object.entries(fields)
    .filter(([, each]) => each != null)
    .map(([name, each]) => `${name} ${describeOption(each)}`)
    .join(', ');
}

/** Null if nothing is set. */
export function describeOptions(options: object): string | null {
  const set = leavesOf(options).map((leaf) => `${optionName(leaf[0])}: ${describeLeaf(leaf)}`);
  return set.length === 0 ? null : set.join('; ');
}
