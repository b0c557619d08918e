import { DEFAULT_KEY_POINTS, FORMATS, type Readiness } from '../../contract/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import { type Selection, type SizeKind, type StrategyName, strategyIn } from './strategies.ts';

type Summary = NonNullable<DigestOptions['summary']>;
type EngineOptions = NonNullable<DigestOptions['engine']>;

/** As much of what a service says of itself as decides what options come to. */
type ModelDefaults = Pick<Readiness, 'extractor' | 'writer'>;

/** Where nothing is known of the service. */
const EMBEDDED: ModelDefaults = { extractor: 'sentences', writer: 'compose' };

/** Changes fields of the selection; one that becomes undefined is the service's default again. */
export function withSelection(options: DigestOptions, change: Partial<Selection>): DigestOptions {
  return tidy({ ...options, selection: fitted({ ...options.selection, ...change }) });
}

/** Changes how much relevance counts against difference. */
export function withRelevanceWeight(options: DigestOptions, weight: number | undefined): DigestOptions {
  return withSelection(options, { relevance: { ...options.selection?.relevance, weight } });
}

/** Takes another strategy, with what it takes of the size and the seed. */
export function withStrategy(
  options: DigestOptions,
  strategy: StrategyName | undefined,
  defaults: ModelDefaults = EMBEDDED,
): DigestOptions {
  return withoutIdleModel(withSelection(options, { strategy }), defaults);
}

/** The published selection: what is set beside it would go before it. The default takes all off. */
export function withPreset(
  options: DigestOptions,
  preset: 'published' | undefined,
  defaults: ModelDefaults = EMBEDDED,
): DigestOptions {
  return withoutIdleModel(tidy({ ...options, selection: { preset } }), defaults);
}

/** Takes another kind of size, with a number to begin with. */
export function withSizeKind(options: DigestOptions, kind: SizeKind | undefined): DigestOptions {
  return withSelection(options, { size: kind === undefined ? undefined : START[kind] });
}

/** The format of that name; nothing for another. */
export function formatNamed(name: string): Summary['format'] {
  return FORMATS.find((format) => format === name);
}

const START = { keyPoints: { keyPoints: DEFAULT_KEY_POINTS }, words: { words: 200 }, auto: 'auto' } as const;

/** The kind of a size. */
export function sizeKindOf(size: Selection['size']): SizeKind | undefined {
  if (size === undefined || size === 'auto') return size;
  return 'keyPoints' in size ? 'keyPoints' : 'words';
}

/** Changes fields of the summary. */
export function withSummary(options: DigestOptions, change: Partial<Summary>): DigestOptions {
  return tidy({ ...options, summary: { ...options.summary, ...change } });
}

/** Changes fields of the engine. */
export function withEngine(
  options: DigestOptions,
  change: Partial<EngineOptions>,
  defaults: ModelDefaults = EMBEDDED,
): DigestOptions {
  return withoutIdleModel(tidy({ ...options, engine: { ...options.engine, ...change } }), defaults);
}

/** What finds the key points and writes the text. */
type EngineKind = 'embedded' | 'llm';

/** The engine that the options name; `mixed` where it is not one for both steps, undefined where they leave it to the service. */
export function engineKindOf({ engine }: DigestOptions): EngineKind | 'mixed' | undefined {
  const { extractor, writer } = engine ?? {};
  if (extractor === undefined && writer === undefined) return undefined;
  if (extractor === 'sentences' && writer === 'compose') return 'embedded';
  return extractor === 'llm' && writer === 'llm' ? 'llm' : 'mixed';
}

/** Takes one engine for finding key points and for writing. */
export function withEngineKind(
  options: DigestOptions,
  kind: EngineKind | undefined,
  defaults: ModelDefaults = EMBEDDED,
): DigestOptions {
  return withEngine(options, kind === undefined ? NO_ENGINE : ENGINES[kind], defaults);
}

const NO_ENGINE = { extractor: undefined, writer: undefined };
const ENGINES = {
  embedded: { extractor: 'sentences', writer: 'compose' },
  llm: { extractor: 'llm', writer: 'llm' },
} as const;

/** Whether anything of a digest with these options is asked of a language model. */
export function asksModel({ selection, engine }: DigestOptions, defaults: ModelDefaults = EMBEDDED): boolean {
  if (strategyIn(selection).asksModel || selection?.relevance?.facets === 'llm') return true;
  return (engine?.extractor ?? defaults.extractor) === 'llm' || (engine?.writer ?? defaults.writer) === 'llm';
}

/** What the form has a field for; all else is listed as it is sent. */
const SHOWN =
  /^(?:selection\.(?:preset|strategy|size|seed|relevance\.weight)|summary\.|engine\.(?:encoder|extractor|writer|model)$)/;

/** Options that the form has no field for, such as `selection.kernel.sigma`, with their values. */
export function otherOptions(options: DigestOptions): { readonly name: string; readonly value: string }[] {
  return leaves(options, '').filter(({ name }) => !SHOWN.test(name));
}

/** The options without what the form has no field for. */
export function withoutOthers({ selection = {}, summary, engine = {} }: DigestOptions): DigestOptions {
  const { preset, strategy, size, seed, relevance } = selection;
  const { encoder, extractor, writer, model } = engine;
  return tidy({
    selection: { preset, strategy, size, seed, relevance: { weight: relevance?.weight } },
    summary,
    engine: { encoder, extractor, writer, model },
  });
}

/** Drops what the strategy does not take, which the service would refuse or ignore. */
function fitted(selection: Selection): Selection {
  const { sizes, isSampled } = strategyIn(selection);
  const kind = sizeKindOf(selection.size);
  return {
    ...selection,
    size: kind !== undefined && sizes.includes(kind) ? selection.size : undefined,
    seed: isSampled ? selection.seed : undefined,
  };
}

/** A model that nothing is asked of is not named. */
function withoutIdleModel(options: DigestOptions, defaults: ModelDefaults): DigestOptions {
  if (options.engine?.model === undefined || asksModel(options, defaults)) return options;
  return tidy({ ...options, engine: { ...options.engine, model: undefined } });
}

/** Without fields that are undefined and objects that are empty, so that equal options are equal JSON. */
export function tidy(options: DigestOptions): DigestOptions {
  const bare: DigestOptions | undefined = bared(options);
  return bare ?? {};
}

function bared<T>(value: T): T | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).flatMap(([name, field]) => {
    const bare: unknown = bared(field);
    return bare === undefined ? [] : [[name, bare]];
  });
  // The same fields, fewer of them: all are optional.
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as T);
}

function leaves(value: unknown, name: string): { name: string; value: string }[] {
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [{ name, value: String(value) }];
  return Object.entries(value).flatMap(([field, inner]) => leaves(inner, name === '' ? field : `${name}.${field}`));
}
