import { z } from 'zod';
import { type TypeOf, text } from '../../contract/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import { type EntailmentTask, type Judge, type JudgeRequest, judgeOf } from '../../evaluation/index.ts';
import {
  askedCases,
  BadRecordsError,
  type BenchmarkSet,
  type CallEstimate,
  type CaseKeyPoints,
  checkRecords,
  judgeIdentity,
  keyPointsProtocol,
  type Making,
  printJudge,
  type TextFile,
  textTable,
} from '../../lab/index.ts';
import { costOf, ModelCallError } from '../../models/index.ts';
import { type JudgeFlags, judgeRequest } from '../eval-options.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { INTERRUPTED } from '../run-notes.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { announced, isAgreed, makeWithModel } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, share, wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Points of people that points made here cover. */
interface CoveredPoints {
  /** Id of the case. */
  readonly case: string;
  readonly points: number;
  /** By all that were found. */
  readonly before: number;
  /** By those kept. */
  readonly after: number;
}

/**
 * How many of people's key points some made point entails, before and after the filter (Qi et al. 2024, section 3.3, hold
 * what is extracted against people's points).
 *
 * @param people for cases that are among the made ones
 * @throws whatever the judge fails with
 */
export async function extractionRecall(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
  judge: Judge,
): Promise<CoveredPoints[]> {
  const byId = new Map(made.map((each) => [each.id, each]));
  const textsOf = (points: CaseKeyPoints['found'] = []): string[] => points.map(({ text }) => text);
  const tasks = people.map(({ case: id, keyPoints }) => {
    const [found, kept] = [textsOf(byId.get(id)?.found), textsOf(byId.get(id)?.kept)];
    return keyPoints.map((claim) => ({ before: { claim, texts: found }, after: { claim, texts: kept } }));
  });
  const asked = tasks
    .flat()
    .flatMap(({ before, after }) => [before, after])
    .filter(({ texts }) => texts.length > 0);
  const verdicts = asked.length === 0 ? [] : await judge.entailment(asked);
  // Where nothing was made nothing is covered.
  const held = new Set<EntailmentTask>(asked.filter((_, place) => verdicts[place].holds));
  return people.map(({ case: id, keyPoints }, place) => ({
    case: id,
    points: keyPoints.length,
    before: tasks[place].filter(({ before }) => held.has(before)).length,
    after: tasks[place].filter(({ after }) => held.has(after)).length,
  }));
}

/** Of a claim, a text and what is said of them. */
const [PROMPT_TOKENS, VERDICT_TOKENS] = [420, 80];

/**
 * What a language model is asked for it: each of people's points is held against those found, one by one, until one covers
 * it; those kept are among them.
 */
function recallCalls(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
): CallEstimate & { readonly most: number } {
  const byId = new Map(made.map(({ id, found }) => [id, found.length]));
  const most = people.reduce((sum, { case: id, keyPoints }) => sum + keyPoints.length * (byId.get(id) ?? 0), 0);
  // One that is covered is found half-way on average.
  const calls = Math.ceil(most / 2);
  return { calls, most, promptTokens: calls * PROMPT_TOKENS, completionTokens: calls * VERDICT_TOKENS };
}

/** Key points that people gave for a case, by its id. */
const peoplePointsSchema = z.strictObject({
  case: text(500).min(1),
  keyPoints: z.array(text(20_000).regex(/\S/, 'is blank')).min(1),
});
type PeoplePoints = TypeOf<typeof peoplePointsSchema>;

/**
 * Key points of people: JSON, or JSON Lines, of `{"case": id, "keyPoints": ["…"]}`.
 *
 * @param cases ids of the cases that there are
 * @throws BadRecordsError with everything that is wrong, cases that there are not and those that come twice with it
 */
function readPeoplePoints(file: TextFile, cases: readonly string[]): PeoplePoints[] {
  const { placed, problems } = checkRecords([file], peoplePointsSchema);
  const known = new Set(cases);
  const seen = new Set<string>();
  const odd = placed.flatMap(({ where, record: { case: id } }) => {
    const isSeen = seen.has(id);
    seen.add(id);
    if (!known.has(id)) return [{ where, pointer: '/case', detail: `"${id}" is no case of the set with an intent` }];
    return isSeen ? [{ where, pointer: '/case', detail: `"${id}" came before` }] : [];
  });
  if (problems.length + odd.length > 0) throw new BadRecordsError([...problems, ...odd], 'made');
  return placed.map(({ record }) => record);
}

const FLAGS = {
  ...PROTOCOL_FLAGS,
  rounds: { type: 'string' },
  threshold: { type: 'string' },
  people: { type: 'string' },
  judge: { type: 'string' },
  encoder: { type: 'string' },
} as const;

const MAX_NAMED = 10;

/** Makes key points for every case of a set that asks something, and holds them against people's where there are some. */
export const keyPointsCommand: BenchmarkCommand = {
  summary: 'Add the key points that an answer should hold.',
  usage: `SET [--rounds 3] [--threshold 0.7] [--people FILE [--judge embedded|llm] [--encoder NAME]]
    ${PROTOCOL_USAGE}`,
  examples: ['tessera benchmark key-points intents.json --out points.json'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, FLAGS);
    const path = onlyPositional(positionals, 'the file of a benchmark set');
    const options = protocolOptions(values);
    const rounds = wholeNumber('--rounds', values.rounds, 3);
    const threshold = share('--threshold', values.threshold, 0.7);
    const judge = judgeOfFlags(values);
    const set = readSet(path);
    const asked = askedCases(set);
    if (asked.length === 0) {
      throw new UsageError(`${path} holds no case with an intent, the question that key points are made for.`);
    }
    refuseForeign(set, path);
    const people = peopleOf(
      values.people,
      asked.map(({ id }) => id),
    );
    const deps = await service();
    if (people !== null) judgeIdentity(judge, deps);
    // Without a model it is refused before anything is read.
    const contextTokens = deps.models.model?.contextTokens ?? 0;
    const protocol = keyPointsProtocol(set, { rounds, threshold, contextTokens });
    const made = await makeWithModel(protocol, options, deps, streams, signal);
    if ('code' in made) return made.code;
    streams.stderr.write(keyPointRemarks(made.result, made.making.counts));
    if (made.result.every(({ kept }) => kept.length === 0)) {
      streams.stderr.write(`${whyNothing(made.making.counts, threshold)} Nothing is written.\n`);
      return 1;
    }
    writeJson(options.out, withKeyPoints(set, made.result, made.making), streams.stdout);
    if (people === null) return 0;
    if (
      judge.judge === 'llm' &&
      !options.yes &&
      !(await isJudgingAgreed(made.result, people, judge, deps, streams, signal))
    ) {
      streams.stderr.write('The set is written; extraction recall is not known.\n');
      return signal.aborted ? INTERRUPTED : 0;
    }
    const report = options.out === undefined ? streams.stderr : streams.stdout;
    return describeRecall(made.result, people, judge, deps, { report, stderr: streams.stderr }, signal);
  },
};

/** @throws UsageError where key points of people, or of a published set, would be replaced */
function refuseForeign(set: BenchmarkSet, path: string): void {
  if (set.made.some(({ step }) => step === 'key-points')) return;
  const foreign = askedCases(set).filter(({ keyPoints = [] }) => keyPoints.length > 0);
  if (foreign.length === 0) return;
  const names = foreign.slice(0, MAX_NAMED).map(({ id }) => `"${id}"`);
  const more = foreign.length > MAX_NAMED ? ` and ${foreign.length - MAX_NAMED} more` : '';
  throw new UsageError(
    `${path}: key points that this step did not make would be replaced, those of ${names.join(', ')}${more}. Take them out of the set; --people FILE reads them from a file, to hold those made here against them.`,
  );
}

/** @throws UsageError for what there is not, and where nothing is to be judged */
function judgeOfFlags(flags: JudgeFlags & { readonly people?: string | undefined }): JudgeRequest {
  const { people, judge, encoder, model } = flags;
  const needless = (['judge', 'encoder'] as const).find((flag) => people === undefined && flags[flag] !== undefined);
  if (needless !== undefined) throw new UsageError(`--${needless} needs --people FILE: without it nothing is judged.`);
  return judgeRequest({ judge, encoder, ...(judge === 'llm' && { model }) });
}

function peopleOf(path: string | undefined, cases: readonly string[]): PeoplePoints[] | null {
  if (path === undefined) return null;
  const [{ text }] = readTextFiles([path]);
  return readPeoplePoints({ path, text }, cases);
}

function withKeyPoints(set: BenchmarkSet, made: readonly CaseKeyPoints[], making: Making): BenchmarkSet {
  const kept = new Map(made.map((each) => [each.id, each.kept]));
  const cases = set.cases.map((each) => {
    const points = kept.get(each.id);
    if (points === undefined) return each;
    return { ...each, keyPoints: points.map(({ text, spans, usefulness }) => ({ text, spans, usefulness })) };
  });
  return { ...set, cases, made: [...set.made, making] };
}

/** Says what a judging language model will be asked, and asks whether to go on. */
async function isJudgingAgreed(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
  { engine }: JudgeRequest,
  { models: { model } }: DigestDeps,
  streams: CommandStreams,
  signal: AbortSignal,
): Promise<boolean> {
  const estimate = recallCalls(made, people);
  const name = engine?.model ?? model?.defaultModel ?? 'the model that is named';
  const cost = costOf(model?.priceOf?.(name), estimate.promptTokens, estimate.completionTokens);
  streams.stderr.write(`${announced('key-points --people', name, { ...estimate, known: 0 }, cost)}\n`);
  return estimate.calls === 0 || isAgreed(streams, signal);
}

/** @returns the exit code */
async function describeRecall(
  made: readonly CaseKeyPoints[],
  people: readonly PeoplePoints[],
  request: JudgeRequest,
  deps: DigestDeps,
  { report, stderr }: { readonly report: CommandStreams['stdout']; readonly stderr: CommandStreams['stderr'] },
  signal: AbortSignal,
): Promise<number> {
  const judge = judgeOf(request, deps, { signal, countsUnreadable: true });
  try {
    const covered = await extractionRecall(made, people, judge);
    const title = `Extraction recall: people's key points that made ones cover, judged by ${printJudge(judge.record())}`;
    report.write(`${title}\n${printExtractionRecall(covered)}\n`);
    for (const warning of judge.warnings()) stderr.write(`${warning}\n`);
    return 0;
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    stderr.write(signal.aborted ? 'Stopped.' : `The judge failed: ${failure.message}`);
    stderr.write(' The set is written; extraction recall is not known.\n');
    return signal.aborted ? INTERRUPTED : 1;
  }
}

/** Shares of people's key points that made ones cover, per cent: a row a case, and all points together in the last. */
function printExtractionRecall(covered: readonly CoveredPoints[]): string {
  const total = (name: 'points' | 'before' | 'after'): number => covered.reduce((sum, each) => sum + each[name], 0);
  const all = { case: '(all points)', points: total('points'), before: total('before'), after: total('after') };
  const rows = [...covered, all].map(({ case: id, points, before, after }) => [
    id,
    String(points),
    ...[before, after].map((count) => ((100 * count) / points).toFixed(1)),
  ]);
  return textTable(['case', "people's points", 'covered before the filter %', 'after it %'], rows);
}

type Counts = Readonly<Record<string, number>>;

/** What whoever uses the key points of a set should know of them, a line each; found is the sum of what became of them. */
function keyPointRemarks(made: readonly CaseKeyPoints[], counts: Counts): string {
  const { extracted, merged, filtered, unreadable, kept, unread, unverified, unweighed } = counts;
  const { reworded, apart, repairedGroups, unmergedBatches } = counts;
  const fates = [
    `${merged} merged into others`,
    `${filtered} not useful enough`,
    `${unreadable} without a readable answer on their use`,
    `${kept} kept`,
  ];
  const empty = made.filter((each) => each.kept.length === 0).map(({ id }) => id);
  const remarks: readonly (readonly [number, string])[] = [
    [unread, `Parts of documents not read to the end, for an answer that could not be read or was refused: ${unread}.`],
    [unverified, `Statements dropped for quotes that their document does not hold: ${unverified}.`],
    [apart, `Points that the model wanted merged and that stayed apart, as the text states something else: ${apart}.`],
    [reworded, `Merged points under the text of the first, as they do not bear out the model's: ${reworded}.`],
    [
      repairedGroups,
      `Points that the model put into no group or several, and numbers of no point, put right: ${repairedGroups}.`,
    ],
    [
      unmergedBatches,
      `Lists of points in which nothing was merged, for want of a readable answer: ${unmergedBatches}.`,
    ],
    [
      unweighed,
      `The server told no probabilities for ${unweighed} of the points: their usefulness is 1 for YES and 0 for NO.`,
    ],
    [empty.length, `Without key points: ${empty.join(', ')}.`],
  ];
  return [
    `${extracted} key points found: ${fates.join(' + ')}.`,
    ...remarks.flatMap(([count, text]) => (count > 0 ? text : [])),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Why no case has a key point. */
function whyNothing({ extracted, unread, unreadable, filtered }: Counts, threshold: number): string {
  if (extracted === 0) {
    return unread > 0
      ? 'No key point was found, and the model gave no readable answer for some or all of the documents.'
      : 'The model found no key point in any document.';
  }
  if (filtered === 0) return 'The model gave no readable answer on the use of any key point.';
  const others = unreadable === 0 ? '' : ', and the others had no readable answer';
  return `No key point is as useful as --threshold ${threshold} asks${others}.`;
}
