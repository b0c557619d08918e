import type { ShortIntent } from '../intents/keep-intents.ts';

interface Told {
  readonly short: readonly ShortIntent[];
  readonly counts: Readonly<Record<string, number>>;
  readonly threshold: number;
  readonly least: number;
  readonly scorer: string;
}

/** What came of the intents, in lines; with it what a person needs who wants another threshold. */
export function intentsTold({ short, counts, threshold, least, scorer }: Told): string {
  const { intents, kept, collections, missing, collectionsWithoutQuestions, cutDocuments, documentsNotShown } = counts;
  const lines = [
    `Kept ${kept} of ${intents} intents (collections: ${collections}): those with ${least} relevant questions or more, scored above ${threshold} by ${scorer}.`,
    missing > 0 && `Intents missing, as the model gave fewer that can be used: ${missing}.`,
    collectionsWithoutQuestions > 0 &&
      `Collections left out, as they have no questions: ${collectionsWithoutQuestions}.`,
    cutDocuments > 0 && `Documents of which the model was shown the beginning alone: ${cutDocuments}.`,
    documentsNotShown > 0 &&
      `Documents of which the model was shown nothing, as its context holds no more: ${documentsNotShown}.`,
    counts.unweighed > 0 &&
      `Scores that are 1 or 0, as the server tells no probabilities, so that no threshold between them matters: ${counts.unweighed}.`,
    counts.unscored > 0 &&
      `Questions that count as not relevant, as the model gave no readable answer: ${counts.unscored}.`,
    counts.foreignIntents > 0 &&
      `Intents in a language that ${scorer} was not trained for, about which its scores tell little: ${counts.foreignIntents}.`,
    ...short.map((each) => shortLine(each, threshold, least)),
  ];
  return lines.flatMap((line) => (line === false ? [] : [`${line}\n`])).join('');
}

function shortLine({ collection, intent, relevant, questions, scores }: ShortIntent, threshold: number, least: number) {
  const spread =
    scores === null
      ? 'there are no scores'
      : `scores have median ${scores.median.toFixed(3)}, 90% quantile ${scores.p90.toFixed(3)}, maximum ${scores.most.toFixed(3)}`;
  return `Dropped of ${collection}: ${JSON.stringify(intent)}: ${relevant} of ${questions} questions above ${threshold}, fewer than ${least}; ${spread}.`;
}
