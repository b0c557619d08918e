import { type CellEvent, LIMITS, type Table, type TableRequest } from '../../contract/index.ts';
import { addUsage, NO_USAGE } from '../../models/index.ts';
import { languageWarnings, levelWarnings } from '../assemble.ts';
import { LimitExceededError } from '../errors.ts';
import { inRequestOrder } from '../extract/read-documents.ts';
import { modelStages } from '../model-stages.ts';
import { type Asking, type Plan, planDigest } from '../plan.ts';
import { inLanguageOf } from '../rank/query.ts';
import type { RequestDocument } from '../request.ts';
import { type DigestDeps, type DigestListeners, startRun } from '../run.ts';
import { restatements } from '../select/selected-points.ts';
import type { Filled, TellCell } from './cells.ts';
import { fillByModel } from './model-cells.ts';
import { fillFromSentences } from './sentence-cells.ts';

export interface ResolvedTable extends Pick<TableRequest, 'questions' | 'engine'> {
  readonly documents: readonly RequestDocument[];
}

interface TableListeners extends Pick<DigestListeners, 'onProgress'> {
  readonly onCell?: ((cell: CellEvent) => void) | undefined;
}

/** @throws TesseraError if the table is too large, or needs what the service does not have */
export function planTable(
  { documents, questions, engine = {} }: ResolvedTable,
  deps: DigestDeps,
  signal?: AbortSignal,
) {
  if (documents.length * questions.length > LIMITS.tableCells) {
    const cells = `times ${documents.length} documents are ${questions.length * documents.length} cells`;
    throw new LimitExceededError('/questions', `${cells}; at most ${LIMITS.tableCells} are filled`);
  }
  const { encoder, model, writer = deps.models.writer } = engine;
  if (writer !== 'llm') {
    const asked = { encoder, extractor: 'sentences', writer: 'compose' } as const;
    const plans = questions.map((intent) => planDigest({ intent, engine: asked }, deps, signal));
    return { plans, asking: null, stages: plans.map((plan) => plan.stages) };
  }
  const stages = modelStages(deps.models, { model }, signal);
  const asking: Asking<'table'> = {
    model: stages.model('write', '/engine/writer'),
    prompts: { table: stages.prompt('write', 'table') },
  };
  return { plans: [], asking, stages: [stages] };
}

/**
 * Answers each question from each document. A document that fails leaves its row empty.
 * @throws TesseraError if the request cannot be served, or if every call of a language model failed
 */
export async function makeTable(
  request: ResolvedTable,
  deps: DigestDeps,
  { onProgress, onCell }: TableListeners = {},
  signal?: AbortSignal,
): Promise<Table> {
  const { plans, asking, stages } = planTable(request, deps, signal);
  const { documents, questions } = request;
  const run = startRun(deps, stages[0], signal, { onProgress });
  const tell: TellCell = (document, column, { answered, sure, text, quote }) =>
    onCell?.({ document, column, answered, sure, text, quote });
  const filled =
    asking === null
      ? await fillFromSentences(run, plans, documents, tell)
      : await fillByModel(run, asking, questions, documents, tell);
  const agrees = questions.map((_, column) => agreeing(filled, column));
  const rows = inRequestOrder(filled.documents).map(({ document: { id, title } }) => {
    const index = filled.documents.findIndex((read) => read.document.id === id);
    const cells = filled.rows[index].map(({ answered, sure, text, quote }, column) => {
      return { answered, sure, text, quote, agrees: agrees[column][index] };
    });
    return { document: id, ...(title !== undefined && { title }), cells };
  });
  return {
    rows,
    columns: questions.map((question, column) => {
      const answered = rows.filter(({ cells }) => cells[column].answered).length;
      return { question, answered, of: rows.length };
    }),
    engine: {
      encoder: plans[0]?.options.kernelEncoder.profile.id ?? null,
      matrix: run.engine.matrix,
      writer: asking === null ? 'compose' : 'llm',
      models: stages[0].records(),
    },
    prompts: stages[0].hashes(),
    usage: { ...stages.map((each) => each.usage().total).reduce(addUsage, NO_USAGE), ...filled.reused },
    warnings: [
      ...new Set([
        ...documentWarnings(filled),
        ...plans.flatMap((plan) => questionWarnings(plan, filled)),
        ...filled.warnings,
      ]),
    ],
    offsetUnit: 'utf16',
  };
}

/** For each document the others whose cell says the same, by the measure of the sources that a digest cites together. */
function agreeing({ documents, rows }: Filled, column: number): string[][] {
  const restates = restatements(documents, false);
  const said = rows.flatMap(({ [column]: { quote, stated: text } }, documentIndex) => {
    if (quote === null) return [];
    const { id } = documents[documentIndex].document;
    return [{ document: id, documentIndex, text, quote: { ...quote, status: 'exact' as const } }];
  });
  const agrees = documents.map(() => new Set<string>());
  for (const claim of said) {
    const isRestated = restates(claim);
    for (const other of said) {
      if (other === claim || !isRestated(other)) continue;
      agrees[claim.documentIndex].add(other.document);
      agrees[other.documentIndex].add(claim.document);
    }
  }
  return agrees.map((ids) => [...ids].sort());
}

function documentWarnings({ documents, rows }: Filled): string[] {
  const read = inRequestOrder(documents);
  const isBlank = documents.map(
    ({ status }, index) => status === 'empty' && !rows[index].some(({ answered }) => answered),
  );
  const empty = inRequestOrder(documents.filter((_, index) => isBlank[index])).map(
    ({ document }) => `“${document.id}”`,
  );
  return [
    ...read.flatMap(({ document, error }) => (error === null ? [] : [`“${document.id}”: ${error.message}`])),
    ...(empty.length > 0 ? [`No statement was found in ${empty.join(', ')}.`] : []),
  ];
}

function questionWarnings({ query, options: { relevanceEncoder, estimate } }: Plan, { documents }: Filled): string[] {
  const asked = inLanguageOf(query, documents);
  return [...languageWarnings(documents, asked, relevanceEncoder), ...levelWarnings(asked, relevanceEncoder, estimate)];
}
