import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { CoverageVerdict, SentenceKind } from '../judge.ts';
import type { CoverageLevel, Nugget, ReportRequestText } from '../shapes.ts';
import {
  byHash,
  nearestFirst,
  type Piece,
  packed,
  pieces,
  type Unit,
  type Verdict,
  type VerdictAsker,
} from './ask-verdicts.ts';

const LEVELS = { NO: 0, PARTIAL: 50, FULL: 100 } as const satisfies Readonly<Record<string, CoverageLevel>>;
const LEVEL_NAMES = ['NO', 'PARTIAL', 'FULL'] as const;

const COVERAGE = z.object({ coverage: z.enum(LEVEL_NAMES), bullet: z.int().nullable() });
type CoverageAnswer = z.infer<typeof COVERAGE>;

export function coverageForm(bullets: number): JsonForm<CoverageAnswer> {
  const schema = COVERAGE.refine(
    ({ coverage, bullet }) => coverage === 'NO' || (bullet !== null && bullet >= 1 && bullet <= bullets),
    { message: `what covers the insight has to be the number of a bullet, 1 to ${bullets}`, path: ['bullet'] },
  );
  return { name: 'coverage', schema, asked: COVERAGE };
}

interface ShownBullet extends Piece {
  readonly place: number;
}

interface LevelVerdict extends Verdict {
  readonly level: CoverageLevel;
  readonly shown: number | null;
}

const COVERAGE_TOKENS = 200;

/**
 * Coverage of each insight by the best bullet (Laban et al. 2024, section 3 and appendix): one call per insight, with
 * as many bullets as fit. If none covers it, names the bullet that shares most words.
 */
export async function modelCoverage(
  asker: VerdictAsker,
  insights: readonly string[],
  bullets: readonly string[],
): Promise<CoverageVerdict[]> {
  const room = asker.room('judge-coverage');
  const places = new Map([...bullets.entries()].reverse().map(([place, text]) => [text, place]));
  const shown = [...places]
    .flatMap(([text, place]) => pieces(text, room).map((piece): ShownBullet => ({ ...piece, place })))
    .sort((a, b) => byHash(a, b) || a.place - b.place);
  const parts = packed(shown, room);
  const firstPlace = bullets.length === 0 ? null : 0;
  await asker.lookUp(insights.flatMap((insight) => parts.map((part) => coverageUnit(insight, part))));
  return asker.all(
    insights.map((insight) => async () => {
      let best: { readonly level: CoverageLevel; readonly place: number } | null = null;
      for (const part of parts) {
        const { level, shown: at } = await asker.ask(coverageUnit(insight, part));
        if (at !== null && level > (best?.level ?? 0)) best = { level, place: part[at].place };
        if (level === LEVELS.FULL) break;
      }
      if (best !== null) return { level: best.level, score: best.level / 100, bullet: best.place };
      const [nearest] = nearestFirst(insight, shown);
      const place = shown.find(({ hash }) => hash === nearest?.hash)?.place;
      return { level: 0, score: 0, bullet: place ?? firstPlace };
    }),
  );
}

function coverageUnit(insight: string, part: readonly ShownBullet[]): Unit<CoverageAnswer, LevelVerdict> {
  return {
    purpose: 'judge-coverage',
    hashes: [contentHash(insight), ...part.map(({ hash }) => hash)],
    values: () => ({
      insight: asData('insight', insight),
      bullets: part.map(({ text }, i) => asData('bullet', text, i + 1)).join('\n'),
    }),
    form: coverageForm(part.length),
    maxTokens: COVERAGE_TOKENS,
    read: ({ coverage, bullet }) => ({
      level: LEVELS[coverage],
      shown: coverage === 'NO' || bullet === null ? null : bullet - 1,
    }),
    none: { level: LEVELS.NO, shown: null },
  };
}

const REPORTED = z.object({ reported: z.array(z.int()) });
type ReportedAnswer = z.infer<typeof REPORTED>;

export function reportedForm(nuggets: number): JsonForm<ReportedAnswer> {
  const schema = z.object({ reported: z.array(z.int().min(1).max(nuggets)) });
  return { name: 'reported', schema, asked: REPORTED };
}

interface ShownNugget {
  readonly text: string;
  readonly hash: string;
}

interface ReportedVerdict extends Verdict {
  readonly shown: readonly number[];
}

const TOKENS_EACH = 4;
const REPORTED_TOKENS = 100;

/**
 * Places of the nuggets that each sentence reports (Mayfield et al. 2024, section 4): one call per sentence, with as
 * many nuggets as fit. A blank sentence reports none.
 */
export async function modelReported(
  asker: VerdictAsker,
  sentences: readonly string[],
  nuggets: readonly Nugget[],
): Promise<number[][]> {
  const places = new Map<string, number[]>();
  for (const [place, nugget] of nuggets.entries()) {
    const text = nuggetText(nugget);
    places.set(text, [...(places.get(text) ?? []), place]);
  }
  const shown = [...places.keys()].map((text): ShownNugget => ({ text, hash: contentHash(text) })).sort(byHash);
  const parts = packed(shown, asker.room('judge-reported'));
  const units = sentences.map((sentence) =>
    sentence.trim() === '' ? [] : parts.map((part) => reportedUnit(sentence, part)),
  );
  await asker.lookUp(units.flat());
  return asker.all(
    units.map((ofSentence) => async () => {
      const found: number[] = [];
      for (const [p, unit] of ofSentence.entries()) {
        const verdict = await asker.ask(unit);
        found.push(...verdict.shown.flatMap((at) => places.get(parts[p][at].text) ?? []));
      }
      return found.sort((a, b) => a - b);
    }),
  );
}

function reportedUnit(sentence: string, part: readonly ShownNugget[]): Unit<ReportedAnswer, ReportedVerdict> {
  return {
    purpose: 'judge-reported',
    hashes: [contentHash(sentence), ...part.map(({ hash }) => hash)],
    values: () => ({
      sentence: asData('sentence', sentence),
      nuggets: part.map(({ text }, i) => asData('nugget', text, i + 1)).join('\n'),
    }),
    form: reportedForm(part.length),
    maxTokens: REPORTED_TOKENS + TOKENS_EACH * part.length,
    read: ({ reported }) => ({ shown: [...new Set(reported)].sort((a, b) => a - b).map((number) => number - 1) }),
    none: { shown: [] },
  };
}

function nuggetText({ question, answers = [] }: Nugget): string {
  const texts = [...new Set(answers.map(({ text }) => text))].map((text) => ({ text, hash: contentHash(text) }));
  const given = texts.sort(byHash).map(({ text }) => `Answer: ${text}`);
  return [`Question: ${question}`, ...(given.length > 0 ? given : ['Answer: (nothing is known of it)'])].join('\n');
}

const KINDS = { CLAIM: 'claim', ABSENCE: 'absence', NEITHER: 'neither' } as const satisfies Record<
  string,
  SentenceKind
>;

export const KIND = {
  name: 'kind',
  schema: z.object({ kind: z.enum(['CLAIM', 'ABSENCE', 'NEITHER']) }),
} satisfies JsonForm<unknown>;
type KindAnswer = z.infer<typeof KIND.schema>;

interface KindVerdict extends Verdict {
  readonly kind: SentenceKind;
}

const KIND_TOKENS = 100;

/** The kind of each sentence (Mayfield et al. 2024, section 4): one call per sentence; a blank one states nothing. */
export async function modelKinds(
  asker: VerdictAsker,
  sentences: readonly string[],
  request: ReportRequestText,
): Promise<SentenceKind[]> {
  const asked = requestText(request);
  const units = sentences.map((sentence) => (sentence.trim() === '' ? null : kindUnit(sentence, asked)));
  await asker.lookUp(units.flatMap((unit) => unit ?? []));
  return asker.all(units.map((unit) => async () => (unit === null ? 'neither' : (await asker.ask(unit)).kind)));
}

function kindUnit(sentence: string, request: string): Unit<KindAnswer, KindVerdict> {
  return {
    purpose: 'judge-kind',
    hashes: [contentHash(sentence), contentHash(request)],
    values: () => ({ sentence: asData('sentence', sentence), request: asData('request', request) }),
    form: KIND,
    maxTokens: KIND_TOKENS,
    read: ({ kind }) => ({ kind: KINDS[kind] }),
    none: { kind: KINDS.CLAIM },
  };
}

function requestText({ problem, userStory, background }: ReportRequestText): string {
  const given = [
    ['Asked for', problem],
    ['The reader', userStory],
    ['Known to the reader', background],
  ].flatMap(([name, text]) => (text === undefined || text.trim() === '' ? [] : `${name}: ${text}`));
  return given.length > 0 ? given.join('\n') : 'Nothing is known of the request.';
}

export const RELEVANCE = {
  name: 'relevance',
  schema: z.object({ relevant: z.enum(['YES', 'NO']) }),
} satisfies JsonForm<unknown>;
type RelevanceAnswer = z.infer<typeof RELEVANCE.schema>;

interface RelevanceVerdict extends Verdict {
  readonly relevant: boolean;
}

const RELEVANCE_TOKENS = 100;

/** Whether questions are relevant to an intent (Padmakumar et al. 2025, section 5): one call per question. */
export async function modelRelevance(
  asker: VerdictAsker,
  questions: readonly string[],
  intent: string,
): Promise<boolean[]> {
  const units = questions.map((question) => relevanceUnit(question, intent));
  await asker.lookUp(units);
  return asker.all(units.map((unit) => async () => (await asker.ask(unit)).relevant));
}

function relevanceUnit(question: string, intent: string): Unit<RelevanceAnswer, RelevanceVerdict> {
  return {
    purpose: 'judge-relevance',
    hashes: [contentHash(question), contentHash(intent)],
    values: () => ({ intent: asData('intent', intent), question: asData('question', question) }),
    form: RELEVANCE,
    maxTokens: RELEVANCE_TOKENS,
    read: ({ relevant }) => ({ relevant: relevant === 'YES' }),
    none: { relevant: false },
  };
}
