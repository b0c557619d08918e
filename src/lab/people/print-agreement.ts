import { printEstimate, textTable } from '../report/report.ts';
import type { Estimate } from '../results/estimate.ts';
import type { FieldAgreement, PairAgreement, TaskAgreement } from './agreement.ts';
import { type GroupBias, type JudgeAgreement, LEVELS } from './judge-agreement.ts';
import { type Field, isGraded, SCALES } from './labels.ts';

const QUESTIONS: Readonly<Record<Field, string>> = {
  stated: 'do the highlighted words state the key point?',
  helps: 'does the key point help to answer the query?',
  attested: 'does the document attest the answer of the nugget?',
  importance: 'how much does a good report need the nugget?',
  answerable: 'does the text answer the question?',
  correct: 'does it answer as the reference does?',
  entailed: 'does the text entail the claim?',
  reported: 'does the sentence report the nugget?',
  outcome: 'what becomes of the sentence in ARGUE?',
  rating: 'how likely is it that a reader of the documents asks this?',
};

export function printFieldAgreement({ field, items, annotators, labels, ...figures }: FieldAgreement): string {
  const { agreement, freeMarginal, pairs, withScores, answers, meanLevel } = figures;
  const given = SCALES[field].map((answer, place) => `${answer} ${answers[place]}`);
  // Ratings start at 1.
  const mean = mapped(meanLevel, (level) => level + 1);
  const level = isGraded(field) ? `; mean level of ${answers.length}: ${printEstimate(mean, 2)}` : '';
  return [
    `${field}: ${QUESTIONS[field]}\nlabels: ${labels}; items: ${items}; annotators: ${annotators.length} (${annotators.join(', ')})\nanswers: ${given.join(', ')}${level}`,
    textTable(
      ['all annotators', 'items', 'figure'],
      [
        ['agreement, %', String(agreement.n), printEstimate(percent(agreement), 1)],
        ['free-marginal kappa', String(freeMarginal.n), printEstimate(freeMarginal, 3)],
      ],
    ),
    ...(pairs.length > 0 ? [printPairs(pairs)] : []),
    ...pairs
      .filter((pair) => pair.items > 0)
      .map(({ annotators: [first, second], confusion }) =>
        printConfusion(`${first} (rows) / ${second}`, SCALES[field], confusion),
      ),
    ...(withScores === null
      ? []
      : [
          textTable(
            ["with the model's usefulness", 'items', 'Pearson', 'Spearman'],
            [
              [
                'mean level',
                String(withScores.pearson.n),
                printEstimate(withScores.pearson, 3),
                printEstimate(withScores.spearman, 3),
              ],
            ],
          ),
        ]),
  ].join('\n\n');
}

function printPairs(pairs: FieldAgreement['pairs']): string {
  const isOrdered = pairs.some(({ weighted }) => weighted !== null);
  const head = ['pair', 'items', 'agreement, %', "Cohen's kappa", ...(isOrdered ? ['linear weights'] : [])];
  const rows = pairs.map(({ annotators, items, agreement, kappa, weighted }) => [
    annotators.join(' / '),
    String(items),
    printEstimate(percent(agreement), 1),
    printEstimate(kappa, 3),
    ...(weighted === null ? [] : [printEstimate(weighted, 3)]),
  ]);
  return textTable(head, rows);
}

function printConfusion(title: string, scale: readonly string[], confusion: PairAgreement['confusion']): string {
  return textTable(
    [title, ...scale],
    confusion.map((row, level) => [scale[level], ...row.map(String)]),
  );
}

function mapped({ value, low, high, n }: Estimate, of: (figure: number) => number): Estimate {
  const next = (figure: number | null) => (figure === null ? null : of(figure));
  return { value: next(value), low: next(low), high: next(high), n };
}

function percent(share: Estimate): Estimate {
  return mapped(share, (value) => 100 * value);
}

export function printTaskAgreement({ field, items, records, confusion, ...figures }: TaskAgreement): string {
  const { agreement, kappa, correlation, precision, recall } = figures;
  const rows = [
    ['agreement', agreement],
    ["Cohen's kappa", kappa],
    ['correlation', correlation],
    ['precision of yes', precision],
    ['recall of yes', recall],
  ] as const;
  const given = rows.flatMap(([title, figure]) =>
    figure === null ? [] : [[title, String(figure.n), printEstimate(figure, 3)]],
  );
  return [
    `${field}: ${items} items of ${records} records`,
    textTable(['', 'items', 'figure'], given),
    printConfusion('people (rows), judge', SCALES[field], confusion),
  ].join('\n');
}

export function printJudgeAgreement(agreement: JudgeAgreement): string {
  const { summaries, insights, levels, graded, linked, bias, length, confusion, models } = agreement;
  const three = (figure: Estimate) => printEstimate(figure, 3);
  return [
    `${insights} insights of ${summaries} summaries; 95% intervals by drawing summaries`,
    textTable(
      ['correlation with people', 'Pearson', 'Spearman'],
      [
        ['levels 0, 50, 100', three(levels.pearson), three(levels.spearman)],
        ['graded score', three(graded.pearson), three(graded.spearman)],
      ],
    ),
    textTable(
      ['', 'insights', 'mean'],
      [
        ["linked to people's bullet, share", String(linked.n), three(linked)],
        ["bias: judge's level less people's", String(bias.n), three(bias)],
      ],
    ),
    ...printBiases('system', agreement.biasBySystem),
    ...printBiases('topic', agreement.biasByTopic),
    textTable(
      ['correlation with length in words', 'error (level less people’s)', 'score'],
      length.map(({ of, withError, withScore }) => [
        of === 'bullet' ? 'best bullet' : of,
        three(withError),
        three(withScore),
      ]),
    ),
    printConfusion(
      "people's level (rows), judge's",
      LEVELS.map((level) => String(100 * level)),
      confusion,
    ),
    ...(models.length === 0
      ? []
      : [
          textTable(
            ['models on file', 'Pearson', 'bias'],
            models.map((model) => [model.name, three(model.pearson), three(model.bias)]),
          ),
        ]),
  ].join('\n\n');
}

/** Topics are sentences. */
const MAX_NAME_LENGTH = 60;

function printBiases(what: string, groups: readonly GroupBias[]): string[] {
  if (groups.length === 0) return [];
  const shortened = (name: string) => {
    const characters = [...name.replace(/\s+/gu, ' ')];
    return characters.length <= MAX_NAME_LENGTH
      ? characters.join('')
      : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
  };
  const rows = groups.map(({ name, bias }) => [shortened(name), String(bias.n), printEstimate(bias, 3)]);
  return [textTable([`bias by ${what}`, 'insights', 'mean'], rows)];
}
