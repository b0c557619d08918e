import type { GroupBias, JudgeAgreement } from '../validation/judge-agreement.ts';
import { LEVELS } from '../validation/judge-agreement.ts';
import { printEstimate } from './print-estimate.ts';
import { textTable } from './text-table.ts';

/** How far a judge agrees with people, as text for a terminal. */
export function printAgreement(agreement: JudgeAgreement): string {
  const { summaries, insights, levels, graded, linked, bias, length, confusion, models } = agreement;
  const percents = LEVELS.map((level) => String(100 * level));
  const sections = [
    `${insights} insights of ${summaries} summaries; 95% intervals by drawing summaries`,
    textTable(
      ['correlation with people', 'Pearson', 'Spearman'],
      [
        ['levels 0, 50, 100', printEstimate(levels.pearson, 3), printEstimate(levels.spearman, 3)],
        ['graded score', printEstimate(graded.pearson, 3), printEstimate(graded.spearman, 3)],
      ],
    ),
    textTable(
      ['', 'insights', 'mean'],
      [
        ["linked to people's bullet, share", String(linked.n), printEstimate(linked, 3)],
        ["bias: judge's level less people's", String(bias.n), printEstimate(bias, 3)],
      ],
    ),
    ...biases('system', agreement.biasBySystem),
    ...biases('topic', agreement.biasByTopic),
    textTable(
      ['correlation with length in words', 'error (level less people’s)', 'score'],
      length.map(({ of, withError, withScore }) => [
        of === 'bullet' ? 'best bullet' : of,
        printEstimate(withError, 3),
        printEstimate(withScore, 3),
      ]),
    ),
    textTable(
      ["people's level (rows), judge's", ...percents],
      confusion.map((row, index) => [percents[index], ...row.map(String)]),
    ),
  ];
  if (models.length > 0) {
    const rows = models.map(({ name, pearson, bias }) => [name, printEstimate(pearson, 3), printEstimate(bias, 3)]);
    sections.push(textTable(['models on file', 'Pearson', 'bias'], rows));
  }
  return sections.join('\n\n');
}

/** Characters of a name that a table shows: topics are sentences. */
const LONGEST_NAME = 60;

function biases(what: string, groups: readonly GroupBias[]): string[] {
  if (groups.length === 0) return [];
  const rows = groups.map(({ name, bias }) => [shortened(name), String(bias.n), printEstimate(bias, 3)]);
  return [textTable([`bias by ${what}`, 'insights', 'mean'], rows)];
}

function shortened(name: string): string {
  const characters = [...name.replace(/\s+/gu, ' ')];
  return characters.length <= LONGEST_NAME ? characters.join('') : `${characters.slice(0, LONGEST_NAME - 1).join('')}…`;
}
