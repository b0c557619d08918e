import { clausesOf, numbersIn } from '../../summary/index.ts';
import type { AnswerVerdict } from '../judge.ts';
import type { SourceQuestion } from '../source-coverage/shapes.ts';
import { bearsFacts } from './differences.ts';
import type { Scores } from './match.ts';
import { type Matching, ranked } from './matching.ts';
import { type Passage, passagesOf, shownOf } from './passage.ts';
import { weighedWords } from './weighed-words.ts';

type Question = Pick<SourceQuestion, 'question' | 'answer'>;

/** Whether a summary answers questions, and with the answers given. */
export async function answeredIn(
  summary: string,
  questions: readonly Question[],
  matching: Matching,
): Promise<AnswerVerdict[]> {
  const passages = passagesOf(summary);
  const found = await matchQuestions(questions, passages, matching);
  return found.map(({ order, scores, speaks, answers }) => {
    const answering = shownOf(order.filter(answers), passages, scores);
    const shown = answering ?? shownOf(order.filter(speaks), passages, scores);
    return {
      answerable: shown !== null,
      matches: answering !== null,
      evidence: shown === null ? null : passages[shown].text,
    };
  });
}

/** What passages, by their places, say to a question. */
interface QuestionMatch {
  /** Places from the best passage on. */
  readonly order: readonly number[];
  /** Of question and answer together. */
  readonly scores: Scores;
  speaks(place: number): boolean;
  answers(place: number): boolean;
}

/**
 * A passage speaks to a question if it tells at least half of what the question names. It answers it if it speaks to it, or tells
 * question and answer together in full, and tells the answer with its numbers and names; of a bare number that is all. An answer without content ("yes", "no") is told by whether the passage denies.
 */
export async function matchQuestions(
  questions: readonly Question[],
  passages: readonly Passage[],
  { levels, find }: Matching,
): Promise<QuestionMatch[]> {
  const scores = await find([
    ...questions.map(({ question }) => ({ reference: question, passages })),
    ...questions.map(({ answer }) => ({ reference: answer, passages })),
    ...questions.map(({ question, answer }) => ({ reference: `${question} ${answer}`, passages })),
  ]);
  const texts = passages.map(({ text }) => text);
  return questions.map(({ answer }, i): QuestionMatch => {
    const [ofQuestion, ofAnswer, ofBoth] = [0, 1, 2].map((part) => scores[part * questions.length + i]);
    const isEmpty = weighedWords(answer).length === 0;
    const speaks = (place: number) => ofQuestion[place] >= levels.half;
    return {
      order: ranked(ofBoth, texts),
      scores: ofBoth,
      speaks,
      answers(place) {
        if (isEmpty) return speaks(place) && saysAs(answer, texts[place]);
        const isAbout = speaks(place) || ofBoth[place] >= levels.full;
        if (!isAbout) return false;
        // "Eighteen" and "18 percent" share no word.
        if (isNumber(answer))
          return bearsFacts(answer, passages[place]) || bearsFacts(`${answer} percent`, passages[place]);
        return ofAnswer[place] >= levels.full && bearsFacts(answer, passages[place]);
      },
    };
  });
}

/** Whether an answer names a number and nothing else that matters. */
function isNumber(answer: string): boolean {
  return numbersIn(answer).length === 1 && weighedWords(answer).length <= 1;
}

const NO = /^\W*(?:no|not|never|none|neither)\b/iu;

/** Whether a passage denies as a bare answer does. In other languages than English that cannot be told: it does not. */
function saysAs(answer: string, text: string): boolean {
  const clauses = clausesOf(text);
  return clauses !== null && clauses.some(({ denies }) => denies) === NO.test(answer);
}
