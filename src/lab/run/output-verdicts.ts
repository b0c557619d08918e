import type { EvaluationAnswer } from '../../evaluation/index.ts';

/** Whether a summary answers a question: not, otherwise than its document, or as that does. */
type AnswerGiven = 'none' | 'other' | 'same';

/** What a judge said of an output, in the order of what it was asked; each absent where its case asks for nothing of the kind. */
export interface OutputVerdicts {
  /** Of each question. */
  readonly answers?: readonly AnswerGiven[] | undefined;
  /** Whether the output entails each key point. */
  readonly entailed?: readonly boolean[] | undefined;
  /** Of each sentence, its outcome in ARGUE. */
  readonly outcomes?: readonly number[] | undefined;
  /** Of each sentence, the ids of the nuggets that it reports. */
  readonly reported?: readonly (readonly string[])[] | undefined;
}

export function verdictsIn(answers: readonly EvaluationAnswer[]): OutputVerdicts {
  return Object.assign({}, ...answers.map(verdictsOf));
}

function verdictsOf(answer: EvaluationAnswer): OutputVerdicts {
  switch (answer.metric) {
    case 'source-coverage':
      return {
        answers: answer.questions.map(({ answerable, covered }) => (covered ? 'same' : answerable ? 'other' : 'none')),
      };
    case 'key-point-recall':
      return { entailed: answer.keyPoints.map(({ entailed }) => entailed) };
    case 'argue':
      return {
        outcomes: answer.sentences.map(({ outcome }) => outcome),
        reported: answer.sentences.map(({ nuggets }) => nuggets),
      };
    case 'summhay':
      return {};
  }
}
