import type { Nugget } from '../../contract/evaluation-request.ts';
import { statesAbsence } from './absence.ts';
import { answersTold } from './answered-in.ts';
import type { Matching } from './matching.ts';
import { wholePassage } from './passage.ts';

/**
 * The places of the nuggets that each sentence reports: one of the answers to the question or, for a nugget without
 * answers, that nothing is known of what it asks.
 */
export async function reportedIn(
  sentences: readonly string[],
  nuggets: readonly Nugget[],
  matching: Matching,
): Promise<number[][]> {
  const answers = nuggets.flatMap(({ question, answers = [] }, nugget) =>
    answers.map(({ text }) => ({ question, answer: text, nugget })),
  );
  const absences = nuggets.flatMap(({ question, answers = [] }, nugget) =>
    answers.length === 0 ? [{ question, nugget }] : [],
  );
  const passages = sentences.map(wholePassage);
  const told = await answersTold(answers, passages, matching);
  const named = await matching.find(absences.map(({ question }) => ({ reference: question, passages })));
  return sentences.map((sentence, place) => {
    const ofAnswers = answers.flatMap(({ nugget }, a) => (told[a].answers(place) ? [nugget] : []));
    const isAbsence = statesAbsence(sentence);
    const ofAbsences = absences.flatMap(({ nugget }, a) =>
      isAbsence && named[a][place] >= matching.levels.half ? [nugget] : [],
    );
    return [...new Set([...ofAnswers, ...ofAbsences])].sort((a, b) => a - b);
  });
}
