import type { AnswerVerdict, Judge } from '../judge.ts';
import { share } from '../share.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';
import { checkSources } from './check-sources.ts';
import type { QuestionAnswer, SourceCoverageAnswer, SourceCoverageRequest } from './shapes.ts';

const UNANSWERED: AnswerVerdict = { answerable: false, matches: false, evidence: null };

/**
 * Scores a summary by questions that its sources answer (Huang et al. 2024; Padmakumar et al. 2025): a question is covered
 * if the summary answers it and as its document does. The summary is read without its markers; an empty one answers
 * nothing, and is not judged. A blank intent is none.
 *
 * @throws InvalidEvaluationError without questions, for a blank one, for one of a document that is not there, and for a
 *   document that comes twice
 */
export async function scoreSources(request: SourceCoverageRequest, judge: Judge): Promise<SourceCoverageAnswer> {
  checkSources(request);
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

/** What the judge is told of a question: not which document it was made from. */
function asked({ question, answer }: SourceCoverageRequest['questions'][number]) {
  return { question, answer };
}
