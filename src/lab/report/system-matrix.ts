import type { Estimate } from '../bulk/estimate.ts';
import { html } from '../html/html.ts';
import type { SetReport } from '../run/run-report.ts';
import { estimateCell, type Section, table } from './page.ts';
import { printEstimate, textTable } from './text-table.ts';

/** A score by what summarises (rows) and what retrieves (columns): table 2 of SummHay (Laban et al. 2024, section 5). */
interface ScoreMatrix {
  readonly title: string;
  readonly digits: number;
  readonly retrievers: readonly string[];
  readonly rows: readonly {
    readonly summariser: string;
    readonly cells: readonly ({ readonly estimate: Estimate; readonly outputs: number } | null)[];
  }[];
}

const SCORES = ['labelled', 'summhay'].flatMap((kind) =>
  ['coverage', 'citation', 'joint'].map((name) => `${kind}.${name}`),
);

/** One for each score of SummHay, or of the main metric where there is none; none where no system was given several retrievals. */
function matricesOf({ comparison, matrix }: SetReport): ScoreMatrix[] {
  if (matrix === null) return [];
  const scores = comparison.metrics.filter(({ key }) => SCORES.includes(key));
  const shown = scores.length > 0 ? scores : comparison.metrics.filter(({ key }) => key === comparison.main);
  const arms = new Map(comparison.arms.map((arm) => [arm.name, arm]));
  return shown.map(({ key, title, digits }) => ({
    title,
    digits,
    retrievers: matrix.retrievers,
    rows: matrix.rows.map(({ summariser, systems }) => ({
      summariser,
      cells: systems.map((name) => {
        const arm = name === null ? undefined : arms.get(name);
        return arm === undefined ? null : { estimate: arm.figures[key], outputs: arm.digests };
      }),
    })),
  }));
}

/** As text for a terminal. */
export function printMatrices(report: SetReport): string[] {
  return matricesOf(report).map(({ title, digits, retrievers, rows }) => {
    const printed = rows.map(({ summariser, cells }) => [
      summariser,
      ...cells.map((cell) => (cell === null ? '–' : printEstimate(cell.estimate, digits, cell.outputs))),
    ]);
    return `${title}, by what summarises and what retrieves\n${textTable(['', ...retrievers], printed)}`;
  });
}

/** As a section of a page; none where there is no matrix. */
export function matrixSections(report: SetReport): Section[] {
  const matrices = matricesOf(report);
  if (matrices.length === 0) return [];
  const body = matrices.map(({ title, digits, retrievers, rows }) => {
    const cells = rows.map(
      ({ summariser, cells: own }) =>
        html`<th scope="row">${summariser}</th>${own.map((cell) =>
          cell === null ? html`<td>–</td>` : estimateCell(cell.estimate, cell.outputs, digits),
        )}`,
    );
    return table(`${title}, with 95% bootstrap intervals`, ['Summariser', ...retrievers], cells, 'figures');
  });
  return [{ id: 'matrix', link: 'By retriever', title: 'What summarises by what retrieves', body }];
}
