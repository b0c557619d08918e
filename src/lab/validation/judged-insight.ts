import type { SummHayAnswer } from '../../evaluation/index.ts';
import { countWords } from '../../summary/index.ts';
import type { LabelledSummary, Level } from './labelled-summary.ts';

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
