import type { Engine } from '../../digest/index.ts';
import { atomicStatements } from '../../text/index.ts';
import { harmonicMean } from '../harmonic-mean.ts';
import type { EntailmentTask, EntailmentVerdict, Judge } from '../judge.ts';
import { share } from '../share.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';
import { checkKeyPoints } from './check-key-points.ts';
import { citedNames } from './cited-names.ts';
import type { EntailmentAnswer, KeyPointRecallAnswer, KeyPointRecallRequest } from './shapes.ts';

const NOT_ENTAILED: EntailmentVerdict = { holds: false, score: 0, evidence: null };

/**
 * Scores an answer by key points (Long2RAG, Qi et al. 2024): recall is the share of the reference points that the answer
 * entails, precision the share of the answer's own points that the documents hold: those that a judge extracts from it, or,
 * for a judge that extracts none, its statements clause by clause. The answer is read without its markers;
 * evidence is given as it stands there, with them. A reference point that comes twice counts twice. An answer without key
 * points, such as an empty one, has nothing to be wrong in: its precision is null. Where nothing is recalled F1 is 0, lest
 * whoever says nothing stay out of its mean.
 *
 * @throws InvalidEvaluationError without reference points, or for one that is blank
 */
export async function scoreAnswer(
  request: KeyPointRecallRequest,
  judge: Judge,
  engine: Pick<Engine, 'extract'>,
): Promise<KeyPointRecallAnswer> {
  checkKeyPoints(request);
  const answer = stripMarkers(request.answer, citedNames(request.answer));
  const isBlank = answer.text.trim() === '';
  const hasDocuments = (request.documents?.length ?? 0) > 0;
  // Nobody is asked for points that nothing is held against.
  const own = isBlank ? [] : await pointsOf(answer.text, hasDocuments ? judge : {}, engine);
  const documents = (request.documents ?? []).filter((text) => text.trim() !== '');

  const verdicts = await judged(judge, [
    ...request.keyPoints.map((claim) => ({ claim, texts: isBlank ? [] : [answer.text] })),
    ...own.map((claim) => ({ claim, texts: documents })),
  ]);
  const keyPoints = verdicts
    .slice(0, request.keyPoints.length)
    .map((verdict) => entailmentAnswer(verdict, answer.restore));
  const answerKeyPoints = verdicts.slice(request.keyPoints.length).map(({ holds, evidence }, place) => ({
    text: own[place] ?? '',
    present: hasDocuments ? holds : null,
    evidence,
  }));
  const recall = share(keyPoints.map(({ entailed }) => entailed)) ?? 0;
  const precision = hasDocuments ? share(answerKeyPoints.map(({ present }) => present === true)) : null;
  const f1 = hasDocuments && recall === 0 ? 0 : harmonicMean(recall, precision);
  return { recall, precision, f1, keyPoints, answerKeyPoints };
}

async function pointsOf(
  answer: string,
  judge: Pick<Judge, 'keyPoints'>,
  engine: Pick<Engine, 'extract'>,
): Promise<string[]> {
  if (judge.keyPoints !== undefined) return judge.keyPoints(answer);
  const { keyPoints } = await engine.extract(answer);
  return keyPoints.flatMap(({ text }) => atomicStatements(text));
}

/** One call for all that have a text to be entailed by; the others do not hold. */
async function judged(judge: Judge, tasks: readonly EntailmentTask[]): Promise<EntailmentVerdict[]> {
  const asked = tasks.filter(({ texts }) => texts.length > 0);
  const verdicts = asked.length === 0 ? [] : await judge.entailment(asked);
  const byTask = new Map(asked.map((task, place) => [task, verdicts[place]]));
  return tasks.map((task) => byTask.get(task) ?? NOT_ENTAILED);
}

function entailmentAnswer(
  { holds, score, evidence }: EntailmentVerdict,
  restore: (piece: string) => string,
): EntailmentAnswer {
  return { entailed: holds, score, evidence: evidence === null ? null : restore(evidence) };
}
