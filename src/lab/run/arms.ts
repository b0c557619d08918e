import { z } from 'zod';
import {
  digestOptions,
  ENGINE_OPTIONS,
  ENGINES,
  type Format,
  problemsIn,
  text,
  type VariantOptions,
} from '../../contract/index.ts';
import type { DigestSystem } from './system.ts';

const SAMPLED = { temperature: 0.7 };
const NOT_RELEVANT = { form: 'exponential', weight: 0 } as const;

/** Text of free length, of key points that a model extracts in one call per document (appendices A.2 and A.3), or of others. */
function written(
  selection: VariantOptions['selection'],
  { select, extractor = 'llm' }: { readonly select?: string; readonly extractor?: 'sentences' | 'llm' } = {},
): VariantOptions {
  const isRead = extractor === 'llm';
  return {
    summary: { format: 'report', maxWords: null },
    selection: { preset: 'published', ...selection },
    engine: {
      ...{ extractor, writer: 'llm' },
      ...(isRead && { extraction: { rounds: 1 } }),
      stages: {
        ...(isRead && { extract: { ...SAMPLED, prompt: 'published-extract' } }),
        ...(select !== undefined && { select: { ...SAMPLED, prompt: select } }),
        write: { ...SAMPLED, prompt: 'published-write' },
      },
    },
  };
}

function naive(prompt: string, format: Format = 'report'): VariantOptions {
  return {
    summary: { format, maxWords: null },
    selection: { preset: 'published', strategy: 'naive' },
    engine: { writer: 'llm', stages: { write: { ...SAMPLED, prompt } } },
  };
}

/** The systems of Padmakumar et al. (2025), and the one prompt of Laban et al. (2024), with as many bullets as a set asks key points. */
const PUBLISHED = {
  summhay: naive('naive', 'bullets'),
  naive: naive('published-naive'),
  'naive-relevant': naive('published-naive-relevant'),
  'all-key-points': written({ strategy: 'all' }),
  'llm-selected': written({ strategy: 'llm' }, { select: 'published-select' }),
  'llm-selected-relevant': written({ strategy: 'llm' }, { select: 'published-select-relevant' }),
  random: written({ strategy: 'random', relevance: NOT_RELEVANT }),
  'extracted-sentences': written({ strategy: 'dpp-sample', relevance: NOT_RELEVANT }, { extractor: 'sentences' }),
  dpp: written({ strategy: 'dpp-sample', relevance: NOT_RELEVANT }),
  'dpp-relevant': written({ strategy: 'dpp-sample' }),
};
export type PublishedArm = keyof typeof PUBLISHED;

/** Values to try by option path: `{"selection.size.keyPoints": [5, 10]}`. */
type Sweep = Readonly<Record<string, readonly unknown[]>>;

/** One arm per combination of values; paths create missing objects. */
export function expandSweeps(options: unknown, sweep: Sweep = {}) {
  const last = Object.keys(sweep).map((path) => path.slice(path.lastIndexOf('.') + 1));
  let arms = [{ suffix: '', options }];
  for (const [place, [path, values]] of Object.entries(sweep).entries()) {
    const label = last.filter((each) => each === last[place]).length > 1 ? path : last[place];
    arms = arms.flatMap((arm) =>
      values.map((value) => ({
        suffix: `${arm.suffix}, ${label} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        options: withValue(arm.options, path.split('.'), value),
      })),
    );
  }
  return arms;
}

function withValue(options: unknown, [field, ...rest]: readonly string[], value: unknown): unknown {
  const fields: Readonly<Record<string, unknown>> = isObject(options) ? options : {};
  const inner = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return { ...fields, [field]: rest.length === 0 ? value : withValue(inner, rest, value) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const { selection, summary, engine } = digestOptions;
const armOptionsSchema = z.strictObject({ selection, summary, engine });

/** A system; its options are checked once its sweep is expanded. */
export const sweptSystem = {
  name: text(500).min(1),
  /** A published system whose options the others override. */
  arm: z.enum(Object.keys(PUBLISHED) as PublishedArm[]).optional(),
  options: z.record(z.string(), z.unknown()).default({}),
  sweep: z.record(z.string().regex(/^\w+(\.\w+)*$/), z.array(z.unknown()).min(1).max(100)).optional(),
  requires: z.literal('model').optional(),
  /** Whether the model's draft is scored beside the checked text. */
  drafts: z.literal(true).optional(),
};

/** With drafts, as of a published arm, there are two systems: the model's draft, and the verified summary. */
export function sweptSystems(
  { name, arm, options: given, sweep, requires, drafts: hasDrafts }: z.output<z.ZodObject<typeof sweptSystem>>,
  context: z.core.$RefinementCtx,
): DigestSystem[] {
  // Further options of an engine can only be set in the object that its name stands for.
  const engine = ENGINES.find((name) => name === given.engine);
  const own = engine === undefined ? given : { ...given, engine: ENGINE_OPTIONS[engine] };
  const options = arm === undefined ? own : joined(PUBLISHED[arm], own);
  const drafts = hasDrafts ?? arm !== undefined;
  return expandSweeps(options, sweep).flatMap(({ suffix, options: swept }): DigestSystem[] => {
    const read = armOptionsSchema.safeParse(swept);
    if (!read.success) {
      const told = suffix === '' ? '' : ` (of "${name}${suffix}")`;
      for (const { pointer, detail } of problemsIn(read.error, [])) {
        context.addIssue({ code: 'custom', path: ['options', ...pointer.split('/').slice(1)], message: detail + told });
      }
      return [];
    }
    const system = { name: name + suffix, options: read.data, needsModel: requires === 'model' || drafts };
    if (!drafts) return [system];
    return [
      { ...system, text: 'draft' },
      { ...system, name: verifiedName(system.name) },
    ];
  });
}

export const armSchema = z.strictObject(sweptSystem).transform(sweptSystems);

export function verifiedName(system: string): string {
  return `${system}, verified`;
}

function joined(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const fields = Object.entries(above).map(([field, value]) => [
    field,
    Object.hasOwn(below, field) ? joined(below[field], value) : value,
  ]);
  return { ...below, ...Object.fromEntries(fields) };
}
