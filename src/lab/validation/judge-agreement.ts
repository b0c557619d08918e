import { z } from 'zod';
import { type TypeOf, text } from '../../contract/index.ts';
import type { SummHayAnswer } from '../../evaluation/index.ts';
import { countWords } from '../../summary/index.ts';
import { type Estimate, estimate, estimateMean } from '../results/estimate.ts';
import { pearson, spearman } from './correlation.ts';

/** How far people, or a model, found an insight covered. */
const level = z.literal([0, 0.5, 1], { error: 'must be 0, 0.5 or 1' });

type Level = TypeOf<typeof level>;

const name = text(500).min(1).optional();

/** A summary whose coverage of insights people judged, as `tessera eval judge` reads it. */
export const labelledSummarySchema = z
  .strictObject({
    id: name,
    system: name,
    topic: name,
    bullets: z.array(text(20_000)).max(1000),
    insights: z
      .array(
        z.strictObject({
          text: text(20_000).min(1),
          human: level,
          /** Place of the bullet in which people found it, from 0; null where in none. */
          bullet: z.int().min(0).nullable(),
          /** What models say that judged before, by name. */
          models: z.record(z.string(), level).optional(),
        }),
      )
      .min(1)
      .max(1000),
  })
  .superRefine(({ bullets, insights }, context) => {
    insights.forEach(({ text: told, bullet }, index) => {
      if (told.trim() === '') {
        context.addIssue({ code: 'custom', path: ['insights', index, 'text'], message: 'is blank' });
      }
      if (bullet === null || bullet < bullets.length) return;
      context.addIssue({ code: 'custom', path: ['insights', index, 'bullet'], message: 'names none of the bullets' });
    });
  });
export type LabelledSummary = TypeOf<typeof labelledSummarySchema>;

/** An insight as people and the judge see it. */
export interface JudgedInsight {
  /** What it is resampled with. */
  readonly summary: string;
  readonly system: string | null;
  readonly topic: string | null;
  readonly human: Level;
  readonly humanBullet: number | null;
  readonly level: Level;
  /** 0 to 1. */
  readonly score: number;
  readonly bullet: number | null;
  /** Of the bullet that the judge takes for the best; 0 without bullets. */
  readonly bulletWords: number;
  readonly insightWords: number;
  readonly summaryWords: number;
  readonly models: Readonly<Record<string, Level>>;
}

/**
 * The insights of a summary beside what a judge says of them.
 *
 * @param name names the summary among all that are judged
 * @param answer insight by insight, in the order of the summary's
 */
export function judgedInsights(summary: LabelledSummary, answer: SummHayAnswer, name: string): JudgedInsight[] {
  const words = summary.bullets.map((bullet) => countWords(bullet));
  const summaryWords = words.reduce((sum, each) => sum + each, 0);
  return summary.insights.map((insight, index) => {
    const { coverage, score, bullet } = answer.insights[index];
    return {
      summary: name,
      system: summary.system ?? null,
      topic: summary.topic ?? null,
      human: insight.human,
      humanBullet: insight.bullet,
      level: levelOf(coverage),
      score,
      bullet,
      bulletWords: bullet === null ? 0 : words[bullet],
      insightWords: countWords(insight.text),
      summaryWords,
      models: insight.models ?? {},
    };
  });
}

function levelOf(coverage: SummHayAnswer['insights'][number]['coverage']): Level {
  return coverage === 100 ? 1 : coverage === 50 ? 0.5 : 0;
}

export const LEVELS: readonly Level[] = [0, 0.5, 1];

/** How far a judge agrees with people; intervals draw whole summaries. */
export interface JudgeAgreement {
  readonly summaries: number;
  readonly insights: number;
  /** Correlations with people's levels: of the judge's levels, and of its graded score. */
  readonly levels: { readonly pearson: Estimate; readonly spearman: Estimate };
  readonly graded: { readonly pearson: Estimate; readonly spearman: Estimate };
  /** Share, 0 to 1, of the insights that people found in a bullet whose best bullet is that one. */
  readonly linked: Estimate;
  /** Mean of the judge's level less people's, -1 to 1. */
  readonly bias: Estimate;
  readonly biasBySystem: readonly GroupBias[];
  readonly biasByTopic: readonly GroupBias[];
  /** Pearson's, of what the judge is off by (its level less people's) and of its score, with lengths in words. */
  readonly length: readonly {
    readonly of: 'bullet' | 'insight' | 'summary';
    readonly withError: Estimate;
    readonly withScore: Estimate;
  }[];
  /** Insights by people's level (rows) and the judge's (columns), both 0, 0.5, 1. */
  readonly confusion: readonly (readonly number[])[];
  /** The models on file. */
  readonly models: readonly { readonly name: string; readonly pearson: Estimate; readonly bias: Estimate }[];
}

export interface GroupBias {
  readonly name: string;
  readonly bias: Estimate;
}

/** @param judged insights in an order that does not change between runs: intervals depend on it */
export function judgeAgreement(judged: readonly JudgedInsight[]): JudgeAgreement {
  const human = judged.map((each) => each.human);
  const withPeople = (values: readonly number[]) => ({
    pearson: correlation(judged, values, human),
    spearman: estimate(summariesOf(judged), spearman(values, human)),
  });
  const errors = judged.map((each) => each.level - each.human);
  const scores = judged.map(({ score }) => score);
  const linkable = judged.filter((each) => each.human > 0 && each.humanBullet !== null);
  const hasBest = judged.map(({ bullet }) => bullet !== null);
  const lengths = { bullet: 'bulletWords', insight: 'insightWords', summary: 'summaryWords' } as const;
  return {
    summaries: new Set(summariesOf(judged)).size,
    insights: judged.length,
    levels: withPeople(judged.map(({ level }) => level)),
    graded: withPeople(scores),
    linked: estimateMean(
      linkable.map((each) => Number(each.bullet === each.humanBullet)),
      summariesOf(linkable),
    ),
    bias: biasOf(judged),
    biasBySystem: biasBy(judged, ({ system }) => system),
    biasByTopic: biasBy(judged, ({ topic }) => topic),
    length: (['bullet', 'insight', 'summary'] as const).map((of) => {
      // Without a bullet there is no length to go by.
      const isUsed = (_: unknown, index: number) => of !== 'bullet' || hasBest[index];
      const used = judged.filter(isUsed);
      const words = used.map((each) => each[lengths[of]]);
      return {
        of,
        withError: correlation(used, errors.filter(isUsed), words),
        withScore: correlation(used, scores.filter(isUsed), words),
      };
    }),
    confusion: LEVELS.map((row) =>
      LEVELS.map((column) => judged.filter((each) => each.human === row && each.level === column).length),
    ),
    models: modelsOf(judged),
  };
}

function modelsOf(judged: readonly JudgedInsight[]): JudgeAgreement['models'] {
  const names = [...new Set(judged.flatMap(({ models }) => Object.keys(models)))].sort();
  return names.map((name) => {
    const seen = judged.filter(({ models }) => Object.hasOwn(models, name));
    const levels = seen.map(({ models }) => models[name]);
    return {
      name,
      pearson: correlation(
        seen,
        levels,
        seen.map(({ human }) => human),
      ),
      bias: estimateMean(
        seen.map(({ human }, index) => levels[index] - human),
        summariesOf(seen),
      ),
    };
  });
}

function biasOf(judged: readonly JudgedInsight[]): Estimate {
  return estimateMean(
    judged.map(({ level, human }) => level - human),
    summariesOf(judged),
  );
}

/** By the groups that are named; empty where none is. */
function biasBy(judged: readonly JudgedInsight[], groupOf: (each: JudgedInsight) => string | null): GroupBias[] {
  const names = [...new Set(judged.map(groupOf))].filter((name) => name !== null).sort();
  return names.map((name) => ({ name, bias: biasOf(judged.filter((each) => groupOf(each) === name)) }));
}

function correlation(judged: readonly JudgedInsight[], xs: readonly number[], ys: readonly number[]): Estimate {
  return estimate(summariesOf(judged), (weights) => pearson(xs, ys, weights));
}

function summariesOf(judged: readonly JudgedInsight[]): string[] {
  return judged.map(({ summary }) => summary);
}
