import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import { checkNotBlank, checkUnique, InvalidEvaluationError } from '../errors.ts';
import type { AnswerVerdict, Judge } from '../judge.ts';
import { stripMarkers } from '../marked-text.ts';
import { type Metric, mean, needed, share, textOf } from '../metric.ts';
import {
  digest,
  documentIds,
  evidence,
  JUDGED_EXAMPLE,
  judgedFields,
  judgeFields,
  MAX,
  percent,
  place,
  type Scores,
  sourceQuestion,
  whole,
} from '../shapes.ts';

const sourceCoverageOrder = z
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
type SourceCoverageOrder = TypeOf<typeof sourceCoverageOrder>;

export interface SourceCoverageRequest extends Omit<SourceCoverageOrder, 'summary' | 'documents' | 'digest'> {
  readonly summary: string;
  readonly documents: readonly string[];
}

const sourceCoverageAnswer = z
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
type SourceCoverageEvaluation = TypeOf<typeof sourceCoverageAnswer>;
type SourceCoverageAnswer = Scores<SourceCoverageEvaluation>;
type QuestionAnswer = SourceCoverageEvaluation['questions'][number];

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

const SOURCE_COVERAGE_EXAMPLES = {
  requests: { sourceCoverage: { summary: 'What is covered of each document', value: REQUEST } },
  answers: { sourceCoverage: { summary: 'What is covered of each document', value: ANSWER } },
};

export const sourceCoverage = {
  name: 'source-coverage',
  title: 'Source coverage',
  measures:
    'The share of questions, each made from one document, that a summary answers as that document does, of all and by the place of the document (Huang et al. 2024; Padmakumar et al. 2025)',
  order: sourceCoverageOrder,
  answer: sourceCoverageAnswer,
  examples: SOURCE_COVERAGE_EXAMPLES,
  text: 'summary',
  prefix: 'sources',
  figures: [
    { name: 'coverage', title: 'coverage', fullTitle: 'source coverage' },
    { name: 'relevantCoverage', title: 'relevant coverage', fullTitle: 'relevant source coverage' },
  ],
  async resolve({ digest: _, summary, documents, ...rest }, digest): Promise<SourceCoverageRequest> {
    return {
      ...rest,
      summary: summary ?? needed(digest && textOf(digest), '/summary'),
      documents: documents ?? needed(digest?.documents, '/documents'),
    };
  },
  check: checkQuestions,
  score: async (request, judge) => ({ metric: 'source-coverage', ...(await scoreSources(request, judge)) }),
  said: ({ summary, documents }) => [stripMarkers(summary, new Set(documents)).text],
  requestOf({ questions = [], documents, given, intent, ...known }) {
    if (questions.length === 0) return null;
    const others = documents.map(({ id }) => id).filter((id) => !given.includes(id));
    const isMarked = questions.some(({ relevant }) => relevant !== undefined);
    return {
      metric: 'source-coverage',
      summary: textOf(known),
      // Documents missing from the system's input come last.
      documents: [...given, ...others],
      questions: questions.map(({ question, answer, document }) => ({ question, answer, document })),
      ...(!isMarked && intent !== undefined && { intent }),
    };
  },
} satisfies Metric<SourceCoverageOrder, SourceCoverageRequest, SourceCoverageEvaluation>;

const UNANSWERED: AnswerVerdict = { answerable: false, matches: false, evidence: null };

/**
 * Scores a summary by questions that its sources answer (Huang et al. 2024; Padmakumar et al. 2025): a question is
 * covered if the summary answers it as its document does. Markers are stripped; an empty summary answers nothing and is
 * not judged. A blank intent counts as missing.
 * @throws InvalidEvaluationError without questions, for a blank one, for one of an unknown document, and for duplicate
 * documents
 */
export async function scoreSources(request: SourceCoverageRequest, judge: Judge): Promise<SourceCoverageAnswer> {
  checkQuestions(request);
  const summary = stripMarkers(request.summary, new Set(request.documents));
  const verdicts = summary.text.trim() === '' ? [] : await judge.answered(summary.text, request.questions.map(asked));
  const intent = request.intent?.trim() ?? '';
  const relevant =
    intent === ''
      ? []
      : await judge.relevant(
          request.questions.map(({ question }) => question),
          intent,
        );

  const questions = request.questions.map((_, place): QuestionAnswer => {
    const { answerable, matches, evidence } = verdicts[place] ?? UNANSWERED;
    return {
      answerable,
      matches,
      covered: answerable && matches,
      relevant: relevant[place] ?? null,
      evidence: evidence === null ? null : summary.restore(evidence),
    };
  });
  const covered = questions.map((question) => question.covered);
  const byDocument = new Map<string, boolean[]>(request.documents.map((id) => [id, []]));
  for (const [place, { document }] of request.questions.entries())
    byDocument.get(document)?.push(covered[place] === true);
  return {
    coverage: share(covered) ?? 0,
    relevantCoverage: share(covered.filter((_, place) => relevant[place] === true)),
    questions,
    documents: request.documents.map((id, position) => ({
      id,
      position,
      coverage: share(byDocument.get(id) ?? []),
    })),
  };
}

function asked({ question, answer }: SourceCoverageRequest['questions'][number]) {
  return { question, answer };
}

function checkQuestions({ documents, questions }: SourceCoverageRequest): void {
  if (questions.length === 0) throw new InvalidEvaluationError('/questions', 'has no question to ask');
  checkUnique(documents, (place) => `/documents/${place}`);
  checkNotBlank(
    questions.map(({ question }) => question),
    (place) => `/questions/${place}/question`,
  );
  checkNotBlank(
    questions.map(({ answer }) => answer),
    (place) => `/questions/${place}/answer`,
  );
  const known = new Set(documents);
  const place = questions.findIndex(({ document }) => !known.has(document));
  if (place >= 0) {
    throw new InvalidEvaluationError(`/questions/${place}/document`, 'is not the id of one of the documents');
  }
}

export interface CurveBin {
  readonly from: number;
  readonly to: number;
  /** Mean over its documents, 0 to 100; null if none has questions. */
  readonly coverage: number | null;
  readonly documents: number;
}

/**
 * Mean coverage by relative position in the input, over many summaries: a dip shows where a model loses content.
 * The document at place i of n stands at (i + 1/2) / n.
 * @param bins stretches of equal length; a positive integer
 * @throws RangeError for any other number
 */
export function positionCurve(answers: readonly Pick<SourceCoverageAnswer, 'documents'>[], bins: number): CurveBin[] {
  if (!Number.isSafeInteger(bins) || bins < 1) throw new RangeError('The curve needs a positive number of bins.');
  const coverages: number[][] = Array.from({ length: bins }, () => []);
  for (const { documents } of answers) {
    for (const { position, coverage } of documents) {
      const bin = Math.floor(((2 * position + 1) * bins) / (2 * documents.length));
      if (coverage !== null) coverages[bin]?.push(coverage);
    }
  }
  return coverages.map((each, bin) => ({
    from: bin / bins,
    to: (bin + 1) / bins,
    coverage: mean(each),
    documents: each.length,
  }));
}
