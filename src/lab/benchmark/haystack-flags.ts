import type { DealingOptions } from '../haystack/deal-statements.ts';
import { HAYSTACK_KINDS, type HaystackOptions } from '../haystack/haystack-options.ts';
import { LIMITS } from '../../contract/schemas.ts';
import { UsageError } from '../cli/usage-error.ts';
import { MAKING_FLAGS, type MakingOptions, makingOptions, wholeNumber } from './making-flags.node.ts';

export const HAYSTACK_FLAGS = {
  ...MAKING_FLAGS,
  topic: { type: 'string' },
  kind: { type: 'string' },
  subtopics: { type: 'string' },
  insights: { type: 'string' },
  documents: { type: 'string' },
  words: { type: 'string' },
  least: { type: 'string' },
  edits: { type: 'string' },
  statements: { type: 'string' },
  repeat: { type: 'boolean' },
} as const;

type Values = {
  readonly [Flag in keyof typeof HAYSTACK_FLAGS]?:
    | ((typeof HAYSTACK_FLAGS)[Flag]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

/** Only where a model writes. */
const OF_MODELS = ['topic', 'kind', 'subtopics', 'insights', 'edits', 'model', 'yes', 'retry', 'restart'] as const;
/** Of the name of a set. */
const LONGEST_TOPIC = 500;
const MOST = { subtopics: 50, insights: 50, words: 10_000, edits: 20 };

/** @throws UsageError for flags that do not go together, and values that are out of range */
export function modelHaystack(values: Values): { readonly making: MakingOptions; readonly haystack: HaystackOptions } {
  const making = makingOptions(values);
  const topic = values.topic?.trim() ?? '';
  if (topic === '') throw new UsageError('benchmark haystack needs --topic TEXT, or --statements FILE.');
  if (topic.length > LONGEST_TOPIC) {
    throw new UsageError(`--topic is at most ${LONGEST_TOPIC} characters long, not ${topic.length}.`);
  }
  if (values.repeat === true) throw new UsageError('--repeat goes with --statements.');
  const kind = HAYSTACK_KINDS.find((each) => each === (values.kind ?? 'news'));
  if (kind === undefined) throw new UsageError(`--kind is one of ${HAYSTACK_KINDS.join(', ')}, not "${values.kind}".`);
  return {
    making,
    haystack: {
      topic,
      kind,
      subtopics: atMost('--subtopics', wholeNumber('--subtopics', values.subtopics, 10), MOST.subtopics),
      insights: rangeOf(values.insights ?? '5-10'),
      edits: atMost('--edits', wholeNumber('--edits', values.edits, 5, 0), MOST.edits),
      seed: making.seed,
      ...sizesOf(values),
    },
  };
}

/** @throws UsageError for flags that do not go together, and values that are out of range */
export function statementHaystack(
  values: Values,
): DealingOptions & { readonly seed: number; readonly out: string | undefined } {
  const odd = OF_MODELS.filter((flag) => values[flag] !== undefined);
  if (odd.length > 0) {
    const flags = odd.map((flag) => `--${flag}`).join(', ');
    throw new UsageError(`--statements asks no model: leave ${flags} out.`);
  }
  const { seed, out } = makingOptions(values);
  return { ...sizesOf(values), repeat: values.repeat ?? false, seed, out };
}

function sizesOf(values: Values): Pick<HaystackOptions, 'documents' | 'words' | 'least'> {
  const documents = atMost('--documents', wholeNumber('--documents', values.documents, 100), LIMITS.documents);
  const words = atMost('--words', wholeNumber('--words', values.words, 750), MOST.words);
  const least = wholeNumber('--least', values.least, 5);
  if (least > documents) throw new UsageError(`--least is at most the ${documents} of --documents, not ${least}.`);
  return { documents, words, least };
}

/** "5-10", or "7" for as many each. */
function rangeOf(given: string): HaystackOptions['insights'] {
  const [, first, second] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(given) ?? [];
  const [least, most] = [Number(first), Number(second ?? first)];
  if (!(least >= 1 && most >= least && most <= MOST.insights)) {
    throw new UsageError(`--insights is a range like 5-10, from 1 to ${MOST.insights}, not "${given}".`);
  }
  return { least, most };
}

function atMost(flag: string, number: number, most: number): number {
  if (number > most) throw new UsageError(`${flag} is at most ${most}, not ${number}.`);
  return number;
}
