import type { EvaluationRequest } from '../../contract/evaluation-request.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import type { SystemOutput } from './system-output.ts';

/** The evaluations that a case has references for. An empty output is scored too: it tells nothing. */
export function scoresWanted(
  { insights, questions, keyPoints, nuggets, intent }: BenchmarkCase,
  { documents }: Collection,
  { sentences, given }: SystemOutput,
): EvaluationRequest[] {
  const ids = documents.map(({ id }) => id);
  const answer = sentences.map(({ text }) => text).join('\n\n');
  const requests: EvaluationRequest[] = [];
  if (insights !== undefined && insights.length > 0) {
    const bullets = sentences.map(({ text, documents: cited }) => ({ text, documents: cited }));
    requests.push({ metric: 'summhay', bullets, insights: insights.map(withoutEmptyLists), documents: ids });
  }
  if (keyPoints !== undefined && keyPoints.length > 0) {
    requests.push({
      metric: 'key-point-recall',
      answer,
      keyPoints: keyPoints.map(({ text }) => text),
      documents: documents.map(({ text }) => text),
    });
  }
  if (questions !== undefined && questions.length > 0) {
    const isMarked = questions.some(({ relevant }) => relevant !== undefined);
    requests.push({
      metric: 'source-coverage',
      summary: answer,
      // What the system was not given comes last: it has no place in its input.
      documents: [...given, ...ids.filter((id) => !given.includes(id))],
      questions: questions.map(({ question, answer: expected, document }) => ({
        question,
        answer: expected,
        document,
      })),
      // Where the set says what is relevant, no judge is asked.
      ...(!isMarked && intent !== undefined && { intent }),
    });
  }
  if (nuggets !== undefined && nuggets.length > 0) {
    requests.push({
      metric: 'argue',
      ...(intent !== undefined && { request: { problem: intent } }),
      report: { sentences: sentences.map(({ text, documents: citations }) => ({ text, citations })) },
      nuggets,
      documents: documents.map(({ id, text }) => ({ id, text })),
    });
  }
  return requests;
}

/** An insight that no document tells cannot be cited rightly or wrongly. */
function withoutEmptyLists({ id, text, documents = [] }: NonNullable<BenchmarkCase['insights']>[number]) {
  return { id, text, ...(documents.length > 0 && { documents }) };
}
