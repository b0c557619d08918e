import { z } from '@hono/zod-openapi';
import { LIMITS, type TypeOf, text } from '../../contract/index.ts';
import { groupBy } from '../../text/index.ts';
import { type Judge, UNANSWERED } from '../judge.ts';
import { stripMarkers } from '../marked-text.ts';
import {
  checkEach,
  InvalidEvaluationError,
  isBlank,
  isRepeated,
  type Metric,
  needed,
  share,
  textOf,
} from '../metric.ts';
import * as shape from '../shapes.ts';

const order = z
  .strictObject({
    metric: z.literal('source-coverage'),
    summary: shape.whole.optional(),
    digest: shape.digest,
    documents: shape.documentIds
      .optional()
      .openapi({ description: 'In the order in which the model was given them; by default those of the digest.' }),
    questions: z.array(shape.sourceQuestion).min(1).max(shape.MAX.items),
    intent: text(LIMITS.intentCharacters).min(1).optional(),
    ...shape.judgeFields,
  })
  .openapi('SourceCoverageRequest');
type Order = TypeOf<typeof order>;

export interface SourceCoverageRequest extends Omit<Order, 'summary' | 'documents' | 'digest'> {
  readonly summary: string;
  readonly documents: readonly string[];
}

const answer = z
  .object({
    metric: z.literal('source-coverage'),
    coverage: shape.percent,
    relevantCoverage: shape.percent
      .nullable()
      .openapi({ description: 'Over the questions relevant to the intent; null without it, or such questions.' }),
    questions: z.array(
      z.object({
        answerable: z.boolean(),
        matches: z.boolean(),
        covered: z.boolean().openapi({ description: 'Both.' }),
        relevant: z.boolean().nullable(),
        evidence: shape.evidence,
      }),
    ),
    documents: z.array(
      z.object({
        id: z.string(),
        position: shape.place,
        coverage: shape.percent.nullable().openapi({ description: 'Null for a document without questions.' }),
      }),
    ),
    ...shape.judgedFields,
  })
  .openapi('SourceCoverageEvaluation');
type Evaluation = TypeOf<typeof answer>;

const ORDER: Order = {
  metric: 'source-coverage',
  summary: shape.FACT,
  documents: ['council', 'press'],
  questions: [{ question: 'By how much did traffic in the centre fall?', answer: shape.FACT, document: 'council' }],
  intent: 'How did traffic in the centre change?',
};

const ANSWER: Evaluation = {
  metric: 'source-coverage',
  coverage: 100,
  relevantCoverage: 100,
  questions: [{ answerable: true, matches: true, covered: true, relevant: true, evidence: shape.FACT }],
  documents: [
    { id: 'council', position: 0, coverage: 100 },
    { id: 'press', position: 1, coverage: null },
  ],
  ...shape.JUDGED_EXAMPLE,
};

const summary = 'What is covered of each document';

export const sourceCoverage = {
  name: 'source-coverage',
  title: 'Source coverage',
  measures:
    'The share of questions, each made from one document, that a summary answers as that document does, of all and by the place of the document (Huang et al. 2024; Padmakumar et al. 2025)',
  order,
  answer,
  examples: {
    requests: { sourceCoverage: { summary, value: ORDER } },
    answers: { sourceCoverage: { summary, value: ANSWER } },
  },
  embedded: { kappa: 0.3, items: 78 },
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
  score: scoreSources,
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
} satisfies Metric<Order, SourceCoverageRequest, Evaluation>;

/**
 * Scores a summary by questions that its sources answer (Huang et al. 2024; Padmakumar et al. 2025): a question is
 * covered if the summary answers it as its document does. Markers are stripped; an empty summary answers nothing and is
 * not judged. A blank intent counts as missing.
 * @throws InvalidEvaluationError without questions, for a blank one, for one of an unknown document, and for duplicate
 * documents
 */
export async function scoreSources(request: SourceCoverageRequest, judge: Judge): Promise<shape.Unjudged<Evaluation>> {
  checkQuestions(request);
  const { text, restore } = stripMarkers(request.summary, new Set(request.documents));
  const asked = request.questions.map(({ question, answer }) => ({ question, answer }));
  const verdicts = text.trim() === '' ? [] : await judge.answered(text, asked);
  const intent = request.intent?.trim() ?? '';
  const questionTexts = asked.map(({ question }) => question);
  const relevant = intent === '' ? [] : await judge.relevant(questionTexts, intent);

  const questions = request.questions.map(({ document }, place) => {
    const { answerable, matches, evidence } = verdicts[place] ?? UNANSWERED;
    const verdict = {
      answerable,
      matches,
      covered: answerable && matches,
      relevant: relevant[place] ?? null,
      evidence: evidence === null ? null : restore(evidence),
    };
    return { document, verdict };
  });
  const shareOf = (some: typeof questions) => share(some.map(({ verdict }) => verdict.covered));
  const byDocument = groupBy(questions, ({ document }) => document);
  return {
    metric: 'source-coverage',
    coverage: shareOf(questions) ?? 0,
    relevantCoverage: shareOf(questions.filter(({ verdict }) => verdict.relevant === true)),
    questions: questions.map(({ verdict }) => verdict),
    documents: request.documents.map((id, position) => ({ id, position, coverage: shareOf(byDocument.get(id) ?? []) })),
  };
}

function checkQuestions({ documents, questions }: SourceCoverageRequest): void {
  if (questions.length === 0) throw new InvalidEvaluationError('/questions', 'has no question to ask');
  checkEach(documents, '/documents/*', isRepeated(documents));
  for (const field of ['question', 'answer'] as const) {
    checkEach(questions, `/questions/*/${field}`, (each) => isBlank(each[field]));
  }
  const known = new Set(documents);
  checkEach(questions, '/questions/*/document', ({ document }) =>
    known.has(document) ? null : 'is not the id of one of the documents',
  );
}
