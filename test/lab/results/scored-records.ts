import type { EvaluationAnswer, EvaluationRequest, JudgeRecord, SummHayAnswer } from '../../../src/evaluation/index.ts';
import type { EvaluationRecord, ScoredRecord } from '../../../src/lab/results/evaluations.ts';
import { NO_USAGE } from '../../../src/models/index.ts';

export const JUDGE: JudgeRecord = {
  name: 'embedded',
  encoder: 'hashed-words/1',
  version: '1',
  model: null,
  prompts: {},
};

export const JUDGED = { judge: JUDGE, usage: { ...NO_USAGE, reusedVerdicts: 0 }, warnings: [] };

export const BULLETS: EvaluationRequest = {
  metric: 'summhay',
  bullets: ['Fares rose by 4 percent [1].'],
  insights: [{ id: 'i1', text: 'Fares went up.', documents: ['1'] }],
};

export function summHayAnswer(figures: Partial<SummHayAnswer>): EvaluationAnswer & { readonly metric: 'summhay' } {
  return {
    metric: 'summhay',
    coverage: 0,
    citation: null,
    citationPrecision: null,
    citationRecall: null,
    joint: null,
    // The one of `BULLETS`; cited where there is a score of citations.
    insights: [
      { id: 'i1', coverage: 100, score: 1, bullet: 0, precision: null, recall: null, f1: figures.citation ?? null },
    ],
    bullets: 1,
    wordsPerBullet: 5,
    bulletTexts: [],
    ...figures,
    ...JUDGED,
  };
}

/** A SummHay record that was scored so. */
export function scored(about: Partial<EvaluationRecord>, figures: Partial<SummHayAnswer>): ScoredRecord {
  return { item: { id: 'q', evaluation: BULLETS, ...about }, result: summHayAnswer(figures), known: false };
}
