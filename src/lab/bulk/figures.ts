import type { EvaluationAnswer, Metric } from '../../contract/index.ts';

/** A figure of a metric: its name in the answer, and over a column of the table. */
interface Figure {
  readonly name: string;
  readonly title: string;
}

/** What the table shows of each metric. */
export const FIGURES: Readonly<Record<Metric, readonly Figure[]>> = {
  summhay: [
    { name: 'coverage', title: 'coverage' },
    { name: 'citation', title: 'citation' },
    { name: 'joint', title: 'joint' },
    { name: 'wordsPerBullet', title: 'words/bullet' },
  ],
  'key-point-recall': [
    { name: 'recall', title: 'KPR' },
    { name: 'precision', title: 'KPP' },
    { name: 'f1', title: 'KPF' },
  ],
  argue: [
    { name: 'precision', title: 'precision' },
    { name: 'recall', title: 'recall' },
    { name: 'vitalRecall', title: 'vital recall' },
    { name: 'f1', title: 'F1' },
    { name: 'citationSupport', title: 'citation support' },
  ],
  'source-coverage': [
    { name: 'coverage', title: 'coverage' },
    { name: 'relevantCoverage', title: 'relevant coverage' },
  ],
};

/** The figures of one answer, by name; null where it has none. */
export function figuresOf(answer: EvaluationAnswer): Readonly<Record<string, number | null>> {
  switch (answer.metric) {
    case 'summhay': {
      const { coverage, citation, joint, wordsPerBullet } = answer;
      return { coverage, citation, joint, wordsPerBullet };
    }
    case 'key-point-recall': {
      const { recall, precision, f1 } = answer;
      return { recall, precision, f1 };
    }
    case 'argue': {
      const { precision, recall, vitalRecall, f1, citationSupport } = answer;
      return { precision, recall, vitalRecall, f1, citationSupport };
    }
    case 'source-coverage': {
      const { coverage, relevantCoverage } = answer;
      return { coverage, relevantCoverage };
    }
  }
}
