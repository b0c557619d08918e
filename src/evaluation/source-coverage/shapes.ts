import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import {
  digest,
  documentIds,
  evidence,
  id,
  JUDGED_EXAMPLE,
  judgedFields,
  judgeFields,
  MAX,
  percent,
  place,
  type Scores,
  statement,
  whole,
} from '../shapes.ts';

/** A question that one of the documents answers, and from which it was made. */
const sourceQuestion = z.strictObject({ question: statement, answer: statement, document: id });
export type SourceQuestion = TypeOf<typeof sourceQuestion>;

/** Either a summary, with documents, or a digest. */
export const sourceCoverageOrder = z
  .strictObject({
    metric: z.literal('source-coverage'),
    summary: whole.optional(),
    digest,
    documents: documentIds
      .optional()
      .openapi({ description: 'In the order in which the model was given them; by default those of the digest.' }),
    questions: z.array(sourceQuestion).min(1).max(MAX.items),
    intent: text(LIMITS.intentCharacters).min(1).optional(),
    ...judgeFields,
  })
  .openapi('SourceCoverageRequest');
export type SourceCoverageOrder = TypeOf<typeof sourceCoverageOrder>;

/** Source coverage (Padmakumar et al. 2025; Huang et al. 2024), with what a digest says read. */
export interface SourceCoverageRequest extends Omit<SourceCoverageOrder, 'summary' | 'documents' | 'digest'> {
  readonly summary: string;
  /** Ids of the documents, in the order in which the model was given them. */
  readonly documents: readonly string[];
}

export const sourceCoverageAnswer = z
  .object({
    metric: z.literal('source-coverage'),
    coverage: percent,
    relevantCoverage: percent
      .nullable()
      .openapi({ description: 'Over the questions relevant to the intent; null without it, or such questions.' }),
    questions: z.array(
      z.object({
        answerable: z.boolean(),
        matches: z.boolean(),
        covered: z.boolean().openapi({ description: 'Both.' }),
        relevant: z.boolean().nullable(),
        evidence,
      }),
    ),
    documents: z.array(
      z.object({
        id: z.string(),
        position: place,
        coverage: percent.nullable().openapi({ description: 'Null for a document without questions.' }),
      }),
    ),
    ...judgedFields,
  })
  .openapi('SourceCoverageEvaluation');
export type SourceCoverageEvaluation = TypeOf<typeof sourceCoverageAnswer>;
export type SourceCoverageAnswer = Scores<SourceCoverageEvaluation>;
export type QuestionAnswer = SourceCoverageEvaluation['questions'][number];

const REQUEST: SourceCoverageOrder = {
  metric: 'source-coverage',
  summary: 'Traffic in the centre fell by 18 percent. Deliveries arrive before seven in the morning.',
  documents: ['council', 'press'],
  questions: [
    {
      question: 'By how much did traffic in the centre fall?',
      answer: 'Traffic in the centre fell by 18 percent.',
      document: 'council',
    },
    {
      question: 'What did the shopkeepers fear?',
      answer: 'The shopkeepers feared empty streets.',
      document: 'press',
    },
  ],
  intent: 'How did traffic in the centre change?',
};

const ANSWER: SourceCoverageEvaluation = {
  metric: 'source-coverage',
  coverage: 50,
  relevantCoverage: 50,
  questions: [
    {
      answerable: true,
      matches: true,
      covered: true,
      relevant: true,
      evidence: 'Traffic in the centre fell by 18 percent.',
    },
    { answerable: false, matches: false, covered: false, relevant: true, evidence: null },
  ],
  documents: [
    { id: 'council', position: 0, coverage: 100 },
    { id: 'press', position: 1, coverage: 0 },
  ],
  ...JUDGED_EXAMPLE,
};

export const SOURCE_COVERAGE_EXAMPLES = {
  requests: { sourceCoverage: { summary: 'What is covered of each document', value: REQUEST } },
  answers: { sourceCoverage: { summary: 'What is covered of each document', value: ANSWER } },
};
