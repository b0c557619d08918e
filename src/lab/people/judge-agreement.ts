import { z } from 'zod';
import { type TypeOf, text } from '../../contract/index.ts';
import type { SummHayAnswer } from '../../evaluation/index.ts';
import { countWords } from '../../summary/index.ts';
import { type Estimate, estimate, estimateMean } from '../results/estimate.ts';
import { pearson, spearman } from './statistics.ts';

const level = z.literal([0, 0.5, 1], { error: 'must be 0, 0.5 or 1' });
type Level = TypeOf<typeof level>;

const name = text(500).min(1).optional();

/** A summary with people's judgements of coverage, for `tessera eval judge`. */
export const labelledSummarySchema = z
  .strictObject({
    id: name,
    system: name,
    topic: name,
    bullets: z.array(text(20_000)).max(1000),
    insights: z
      .array(
        z.strictObject({
          text: text(20_000).min(1).regex(/\S/, 'is blank'),
          human: level,
          /** Bullet that covers the insight, from 0; null if none. */
          bullet: z.int().min(0).nullable(),
          models: z.record(z.string(), level).optional(),
        }),
      )
      .min(1)
      .max(1000),
  })
  .superRefine(({ bullets, insights }, context) => {
    insights.forEach(({ bullet }, index) => {
      if (bullet === null || bullet < bullets.length) return;
      context.addIssue({ code: 'custom', path: ['insights', index, 'bullet'], message: 'names none of the bullets' });
    });
  });
export type LabelledSummary = TypeOf<typeof labelledSummarySchema>;

export interface JudgedInsight {
  readonly summary: string;
  readonly system: string | null;
  readonly topic: string | null;
  readonly human: Level;
  readonly humanBullet: number | null;
  readonly level: Level;
  readonly score: number;
  readonly bullet: number | null;
  /** Word counts; the judge's best bullet has 0 if there are no bullets. */
  readonly words: Readonly<Record<'bullet' | 'insight' | 'summary', number>>;
  readonly models: Readonly<Record<string, Level>>;
}

const LEVEL_OF: Readonly<Record<SummHayAnswer['insights'][number]['coverage'], Level>> = { 0: 0, 50: 0.5, 100: 1 };

/**
 * @param id unique among the judged summaries
 * @param answer one entry per insight, in order
 */
export function judgedInsights(summary: LabelledSummary, answer: SummHayAnswer, id: string): JudgedInsight[] {
  const bulletWords = summary.bullets.map((bullet) => countWords(bullet));
  return summary.insights.map((insight, index) => {
    const { coverage, score, bullet } = answer.insights[index];
    return {
      ...{ summary: id, system: summary.system ?? null, topic: summary.topic ?? null },
      ...{ human: insight.human, humanBullet: insight.bullet, level: LEVEL_OF[coverage], score, bullet },
      words: {
        bullet: bullet === null ? 0 : bulletWords[bullet],
        insight: countWords(insight.text),
        summary: bulletWords.reduce((sum, each) => sum + each, 0),
      },
      models: insight.models ?? {},
    };
  });
}

export const LEVELS: readonly Level[] = [0, 0.5, 1];

/** Intervals resample whole summaries. */
export interface JudgeAgreement {
  readonly summaries: number;
  readonly insights: number;
  /** Correlations of people's levels with the judge's levels, and with its score. */
  readonly levels: { readonly pearson: Estimate; readonly spearman: Estimate };
  readonly graded: { readonly pearson: Estimate; readonly spearman: Estimate };
  /** Share, 0 to 1, of insights found by people for which the judge picks the same bullet. */
  readonly linked: Estimate;
  /** Mean of the judge's level less people's, -1 to 1; by system and topic if known. */
  readonly bias: Estimate;
  readonly biasBySystem: readonly GroupBias[];
  readonly biasByTopic: readonly GroupBias[];
  /** Pearson's correlations of the judge's error and score with lengths in words. */
  readonly length: readonly {
    readonly of: 'bullet' | 'insight' | 'summary';
    readonly withError: Estimate;
    readonly withScore: Estimate;
  }[];
  /** Insights by people's level (rows) and the judge's (columns): 0, 0.5, 1. */
  readonly confusion: readonly (readonly number[])[];
  readonly models: readonly { readonly name: string; readonly pearson: Estimate; readonly bias: Estimate }[];
}

export interface GroupBias {
  readonly name: string;
  readonly bias: Estimate;
}

/** @param judged in a fixed order: intervals depend on it */
export function judgeAgreement(judged: readonly JudgedInsight[]): JudgeAgreement {
  type Of = (each: JudgedInsight) => number;
  const human: Of = (each) => each.human;
  const error: Of = (each) => each.level - each.human;
  const score: Of = (each) => each.score;
  const summariesOf = (some: readonly JudgedInsight[]) => some.map(({ summary }) => summary);
  const correlation = (some: readonly JudgedInsight[], x: Of, y: Of) => {
    const [xs, ys] = [some.map(x), some.map(y)];
    return estimate(summariesOf(some), (weights) => pearson(xs, ys, weights));
  };
  const meanOf = (some: readonly JudgedInsight[], of: Of) => estimateMean(some.map(of), summariesOf(some));
  const withPeople = (of: Of) => ({
    pearson: correlation(judged, of, human),
    spearman: estimate(summariesOf(judged), spearman(judged.map(of), judged.map(human))),
  });
  const biasBy = (groupOf: (each: JudgedInsight) => string | null): GroupBias[] =>
    [...new Set(judged.map(groupOf))]
      .filter((group) => group !== null)
      .sort()
      .map((group) => ({
        name: group,
        bias: meanOf(
          judged.filter((each) => groupOf(each) === group),
          error,
        ),
      }));
  const linkable = judged.filter((each) => each.human > 0 && each.humanBullet !== null);
  const models = [...new Set(judged.flatMap((each) => Object.keys(each.models)))].sort();
  return {
    summaries: new Set(summariesOf(judged)).size,
    insights: judged.length,
    levels: withPeople((each) => each.level),
    graded: withPeople(score),
    linked: meanOf(linkable, (each) => Number(each.bullet === each.humanBullet)),
    bias: meanOf(judged, error),
    biasBySystem: biasBy(({ system }) => system),
    biasByTopic: biasBy(({ topic }) => topic),
    length: (['bullet', 'insight', 'summary'] as const).map((of) => {
      const used = of === 'bullet' ? judged.filter(({ bullet }) => bullet !== null) : judged;
      const words: Of = (each) => each.words[of];
      return { of, withError: correlation(used, error, words), withScore: correlation(used, score, words) };
    }),
    confusion: LEVELS.map((row) =>
      LEVELS.map((column) => judged.filter((each) => each.human === row && each.level === column).length),
    ),
    models: models.map((model) => {
      const seen = judged.filter((each) => Object.hasOwn(each.models, model));
      return {
        name: model,
        pearson: correlation(seen, (each) => each.models[model], human),
        bias: meanOf(seen, (each) => each.models[model] - each.human),
      };
    }),
  };
}
