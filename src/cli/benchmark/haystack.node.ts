import { z } from 'zod';
import { LIMITS, text } from '../../contract/index.ts';
import {
  BadRecordsError,
  type Counts,
  checkRecords,
  type DealingOptions,
  HAYSTACK_KINDS,
  type Haystack,
  type HaystackOptions,
  haystackOfStatements,
  haystackProtocol,
  type LabelledStatement,
  type Making,
  statementProblems,
} from '../../lab/index.ts';
import { TesseraError } from '../../text/index.ts';
import { parseFlags } from '../parse-flags.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { makeWithModel } from './make-with-model.node.ts';
import {
  PROTOCOL_FLAGS,
  PROTOCOL_USAGE,
  type ProtocolOptions,
  protocolOptions,
  wholeNumber,
} from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** The flags that have a model asked anew: `--retry` asks for answers that could not be read, and for nothing else. */
function askingAgain({ malformed = 0 }: Counts): string {
  return malformed > 0 ? '--retry' : '--restart, or another --seed';
}

/** What the model answered gave no haystack: no subtopic with enough insights, or no document that tells any. */
class NoHaystackError extends TesseraError {
  readonly code = 'no-haystack';

  /** @param counts of the making: what came, and what was dropped and why */
  constructor(counts: Counts, options: HaystackOptions) {
    super(`Nothing was made. ${reason(counts, options)}`);
  }
}

/** The first step that gave nothing, what it did give, and what to try. */
function reason(counts: Counts, { insights, words }: HaystackOptions): string {
  const { subtopicsGiven = 0, insightsGiven = 0, unwritten = 0, unread = 0, documents = 0, unfounded = 0 } = counts;
  if (subtopicsGiven === 0) {
    return `The model gave no outline of the topic that could be read. Ask for it once more (${askingAgain(counts)}), or another model (--model).`;
  }
  // Without an outline nothing is counted of documents.
  if (counts.documents === undefined) {
    const dropped = [
      told(counts.unspecific, 'hold no number, date or name, or are longer than a sentence, also when asked for again'),
      told(counts.repeatedInsights, 'were there before'),
      told(counts.recategorised, 'fit another subtopic, or none, when seen without theirs'),
    ].filter((each) => each !== null);
    const why = dropped.length === 0 ? '' : ` Dropped were insights that ${dropped.join('; that ')}.`;
    return `No subtopic of the outline (subtopics: ${subtopicsGiven}, insights: ${insightsGiven}) has the ${insights.least} insights that --insights asks for at least.${why} Ask for fewer (--insights), say a topic that there are facts about (--topic), or ask another model (--model).`;
  }
  if (documents === 0) {
    const none = [
      told(unwritten, 'the model wrote nothing'),
      told(unread, 'it gave no readable answer about what they tell'),
    ].filter((each) => each !== null);
    return `There is no document: ${none.join('; ')}. Ask for them once more (${askingAgain(counts)}), another model (--model), or for shorter documents than ${words} words (--words).`;
  }
  const quotes = unfounded === 0 ? '' : ` For ${unfounded} it gave words that the document does not hold.`;
  return `The model wrote ${documents} documents, but when it read them again it found no insight in any of them.${quotes} It does not read well enough, or does not write what it is asked to: ask another one (--model).`;
}

function told(count = 0, what: string): string | null {
  return count === 0 ? null : `${what}: ${count}`;
}

const HAYSTACK_FLAGS = {
  ...PROTOCOL_FLAGS,
  topic: { type: 'string' },
  kind: { type: 'string' },
  subtopics: { type: 'string' },
  insights: { type: 'string' },
  documents: { type: 'string' },
  words: { type: 'string' },
  least: { type: 'string' },
  edits: { type: 'string' },
  retries: { type: 'string' },
  seeds: { type: 'string' },
  statements: { type: 'string' },
  repeat: { type: 'boolean' },
} as const;

type Values = {
  readonly [Flag in keyof typeof HAYSTACK_FLAGS]?:
    | ((typeof HAYSTACK_FLAGS)[Flag]['type'] extends 'boolean' ? boolean : string)
    | undefined;
};

/** Only where a model writes. */
const OF_MODELS = [
  'topic',
  'kind',
  'subtopics',
  'insights',
  'edits',
  'retries',
  'seeds',
  'model',
  'yes',
  'retry',
  'restart',
] as const;
/** Of the name of a set. */
const MAX_TOPIC_LENGTH = 500;
const MAX = { subtopics: 50, insights: 50, words: 10_000, edits: 20, retries: 50 };

/** @throws UsageError for flags that do not go together, and values that are out of range */
function modelHaystack(values: Values): { readonly making: ProtocolOptions; readonly haystack: HaystackOptions } {
  const making = protocolOptions(values);
  const topic = values.topic?.trim() ?? '';
  if (topic === '') throw new UsageError('benchmark haystack needs --topic TEXT, or --statements FILE.');
  if (topic.length > MAX_TOPIC_LENGTH) {
    throw new UsageError(`--topic is at most ${MAX_TOPIC_LENGTH} characters long, not ${topic.length}.`);
  }
  if (values.repeat === true) throw new UsageError('--repeat goes with --statements.');
  const kind = HAYSTACK_KINDS.find((each) => each === (values.kind ?? 'news'));
  if (kind === undefined) throw new UsageError(`--kind is one of ${HAYSTACK_KINDS.join(', ')}, not "${values.kind}".`);
  return {
    making,
    haystack: {
      topic,
      kind,
      subtopics: atMost('--subtopics', wholeNumber('--subtopics', values.subtopics, 10), MAX.subtopics),
      insights: rangeOf(values.insights ?? '5-10'),
      edits: atMost('--edits', wholeNumber('--edits', values.edits, 5, 0), MAX.edits),
      retries: atMost('--retries', wholeNumber('--retries', values.retries, 10, 0), MAX.retries),
      seeds: values.seeds === undefined ? [] : seedsOf(values.seeds),
      seed: making.seed,
      ...sizesOf(values),
    },
  };
}

/** @throws UsageError for flags that do not go together, and values that are out of range */
function statementHaystack(
  values: Values,
): DealingOptions & { readonly seed: number; readonly out: string | undefined } {
  const odd = OF_MODELS.filter((flag) => values[flag] !== undefined);
  if (odd.length > 0) {
    const flags = odd.map((flag) => `--${flag}`).join(', ');
    throw new UsageError(`--statements asks no model: leave ${flags} out.`);
  }
  const { seed, out } = protocolOptions(values);
  return { ...sizesOf(values), repeat: values.repeat ?? false, seed, out };
}

/** Texts of all documents of a set. */
function seedsOf(path: string): string[] {
  return readSet(path).collections.flatMap(({ documents }) => documents.map(({ text }) => text));
}

function sizesOf(values: Values): Pick<HaystackOptions, 'documents' | 'words' | 'least'> {
  const documents = atMost('--documents', wholeNumber('--documents', values.documents, 100), LIMITS.documents);
  const words = atMost('--words', wholeNumber('--words', values.words, 750), MAX.words);
  const least = wholeNumber('--least', values.least, 5);
  if (least > documents) throw new UsageError(`--least is at most the ${documents} of --documents, not ${least}.`);
  return { documents, words, least };
}

/** "5-10", or "7" for as many each. */
function rangeOf(given: string): HaystackOptions['insights'] {
  const [, first, second] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(given) ?? [];
  const [least, most] = [Number(first), Number(second ?? first)];
  if (!(least >= 1 && most >= least && most <= MAX.insights)) {
    throw new UsageError(`--insights is a range like 5-10, from 1 to ${MAX.insights}, not "${given}".`);
  }
  return { least, most };
}

function atMost(flag: string, number: number, most: number): number {
  if (number > most) throw new UsageError(`${flag} is at most ${most}, not ${number}.`);
  return number;
}

/** Insights that are named; the rest are counted. */
const MAX_NAMED = 10;

/** What came of a haystack, in lines: what it holds, what is wrong with it and why, and what a person can try. */
function haystackTold({ rare }: Pick<Haystack, 'rare'>, making: Making): string {
  const { counts, options, model } = making;
  const { documents, cases, insights } = counts;
  const lines = [
    `The haystack has ${documents} documents, ${cases} cases and ${insights} insights.`,
    ...(model === null ? statementLines(making) : modelLines(making)),
    rare.length > 0 &&
      `Insights in fewer than the ${options.least} documents of --least: ${rare.length}. ${rareAdvice(making)}`,
    ...rare.slice(0, MAX_NAMED).map(({ text, documents: telling }) => `  in ${telling}: ${text}`),
    rare.length > MAX_NAMED && `  and ${rare.length - MAX_NAMED} more`,
  ];
  return lines.flatMap((line) => (line === false ? [] : [`${line}\n`])).join('');
}

function statementLines({ counts, options }: Making): (string | false)[] {
  const { statements, unused, repeated, documents } = counts;
  const isFull = documents === options.documents;
  return [
    unused > 0 &&
      `Statements left out: ${unused} of ${statements}, as ${isFull ? 'the documents are full: raise --documents or --words' : 'no document has room that does not tell their insights already: lower --words for more documents'}.`,
    repeated > 0 && `Statements that stand once more, as --repeat allows: ${repeated}.`,
    !isFull &&
      `Documents fewer than the ${options.documents} of --documents, as the statements fill no more of about ${options.words} words: lower --words for more.`,
  ];
}

function modelLines({ counts, options }: Making): (string | false)[] {
  const { subtopicsGiven, surplusSubtopics, insightsGiven, sentBack, unspecific, repeatedInsights, surplusInsights } =
    counts;
  const thin = counts.thinSubtopics + counts.subtopicsLeftThin + counts.subtopicsOverlappedThin;
  const dropped = [
    part(unspecific, 'without a number, date or name, or longer than a sentence'),
    part(repeatedInsights, 'there before'),
    part(surplusInsights, 'beyond those wanted of their subtopic'),
    part(counts.overlappingInsights, 'that overlap with another one'),
    part(counts.recategorised, 'sorted to another subtopic, or to none, when seen without theirs'),
  ].filter((each) => each !== false);
  return [
    `The outline gave ${subtopicsGiven} subtopics and ${insightsGiven} insights${sentBack > 0 ? `, ${sentBack} of which were too vague and sent back once` : ''}.`,
    counts.unreadSubtopics + counts.unreadInsights > 0 &&
      `Passed over in the outline, as they have not the form that was asked for: ${[part(counts.unreadSubtopics, 'subtopics'), part(counts.unreadInsights, 'insights')].filter((each) => each !== false).join(', ')}.`,
    dropped.length > 0 && `Insights dropped: ${dropped.join('; ')}.`,
    thin + surplusSubtopics + counts.overlappingSubtopics > 0 &&
      `Subtopics dropped with what was left of them: ${[part(thin, `with too few insights for --insights ${options.insights}`), part(surplusSubtopics, 'named twice, or beyond --subtopics'), part(counts.overlappingSubtopics, 'that overlap with another one')].filter((each) => each !== false).join('; ')}.`,
    counts.uncategorised > 0 &&
      `Insights that stayed where they were, as the model did not say where they belong: ${counts.uncategorised}.`,
    counts.unwritten > 0 &&
      `Documents left out of the ${options.documents} of --documents, as the model wrote nothing for them: ${counts.unwritten}. ${askingAgain(counts)}, another --model or shorter --words may give them.`,
    counts.unread > 0 &&
      `Documents left out, as the model gave no readable answer about what they tell: ${counts.unread}. ${askingAgain(counts)} or another --model may give them.`,
    (counts.chapterRetries ?? 0) > 0 &&
      `Chapters written anew, as they told too little or too much: ${counts.chapterRetries} times; still wrong after that: ${counts.chaptersLeftWrong}.`,
    counts.edits > 0 && `Edits of documents that told too little or too much, or broke off: ${counts.edits}.`,
    counts.missingLeft + counts.extraneousLeft > 0 &&
      `Still wrong with the documents after that, and put right in the labels: insights not told where they should be: ${counts.missingLeft}; told where they should not be: ${counts.extraneousLeft}.`,
    counts.unfounded > 0 &&
      `Insights said to be told with words that the document does not hold, which count as not told: ${counts.unfounded}.`,
    counts.unreadEdits > 0 &&
      `Edits that were dropped, as the model gave no readable answer about what they tell: ${counts.unreadEdits}. The version before counts.`,
    counts.unfinished > 0 &&
      `Documents that break off, also after edits: ${counts.unfinished}. Shorter --words, or another --model, may end them.`,
    counts.toldNowhere > 0 && `Insights left out, as no document tells them: ${counts.toldNowhere}.`,
  ];
}

/** What would bring rare insights into more documents. */
function rareAdvice({ counts, model, options }: Making): string {
  if (model === null) {
    return options.repeat === true
      ? 'Their statements stand as often as they can.'
      : 'They have fewer statements: give more, or let them stand in several documents (--repeat).';
  }
  const more = options.edits === 0 ? 'let documents be edited (--edits)' : 'allow more --edits';
  if (counts.unwritten + counts.unread > 0 && counts.missingLeft === 0)
    return 'They were planned for documents that were left out.';
  return `The model left them out, or did not find them again: ${more}, ask for fewer facts a document (more --documents, fewer --insights) or longer ones (--words), or ask another --model.`;
}

function part(count: number, what: string): string | false {
  return count > 0 && `${count} ${what}`;
}

const line = (most: number) =>
  text(most)
    .transform((given) => given.replace(/\s+/gu, ' ').trim())
    .refine((given) => given !== '', 'is blank');

/** Null as if it were absent: exporters write it so. */
const orAbsent = (schema: z.ZodType<string>) => schema.nullish().transform((given) => given ?? undefined);

const statement: z.ZodType<LabelledStatement> = z.strictObject({
  topic: line(500),
  query: orAbsent(line(LIMITS.intentCharacters)),
  insight: orAbsent(line(4000)),
  statement: text(20_000)
    .transform((given) => given.trim())
    .refine((given) => /[\p{L}\p{N}]/u.test(given), 'holds no letter or digit'),
});

/**
 * The labelled statements of a file of JSON or JSON Lines.
 *
 * @throws UnreadableFileError; BadRecordsError with everything that is wrong with them
 */
function readStatements(path: string): LabelledStatement[] {
  const [{ text: content }] = readTextFiles([path]);
  const { placed, problems } = checkRecords([{ path, text: content }], statement);
  const all = [...problems, ...statementProblems(placed)];
  if (all.length > 0) throw new BadRecordsError(all, 'made');
  const records = placed.map(({ record }) => record);
  if (records.every(({ insight }) => insight === undefined)) {
    throw new BadRecordsError([{ where: path, pointer: '', detail: 'holds no statement with an "insight"' }], 'made');
  }
  return records;
}

/** Makes a haystack with a language model, or of statements that people labelled. */
export const haystackCommand: BenchmarkCommand = {
  summary: 'Make a set of documents that a language model writes around insights.',
  usage: `--topic TEXT [--kind news|conversation] [--subtopics 10] [--insights 5-10] [--documents 100] [--words 750]
    [--least 5] [--edits 5] [--retries 10] [--seeds SET] ${PROTOCOL_USAGE}
  tessera benchmark haystack --statements FILE [--documents 100] [--words 750] [--least 5] [--repeat] [--out FILE] [--seed N]`,
  examples: ['tessera benchmark haystack --topic "A city\'s congestion charge" --documents 20 --out haystack.json'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, HAYSTACK_FLAGS);
    if (positionals.length > 0) throw new UsageError(`benchmark haystack takes no "${positionals[0]}".`);
    if (values.statements !== undefined) {
      const { out, ...options } = statementHaystack(values);
      const { haystack, making } = haystackOfStatements(readStatements(values.statements), options);
      finish(haystack, making, out, streams);
      return 0;
    }
    const { making: asking, haystack: options } = modelHaystack(values);
    const parts = await service();
    // Without a model it is refused before anything is asked.
    const protocol = haystackProtocol(options, parts.models.model?.contextTokens ?? 0);
    const made = await makeWithModel(protocol, asking, parts, streams, signal);
    if ('code' in made) return made.code;
    if (made.result === null) throw new NoHaystackError(made.making.counts, options);
    finish(made.result, made.making, asking.out, streams);
    return 0;
  },
};

function finish(
  { rare, ...set }: Haystack,
  making: Making,
  out: string | undefined,
  { stdout, stderr }: CommandStreams,
) {
  writeJson(out, { ...set, made: [making] }, stdout);
  stderr.write(haystackTold({ rare }, making));
}
