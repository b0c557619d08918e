import pLimit from 'p-limit';
import { sentenceText } from '../../summary/index.ts';
import { groupBy } from '../../text/index.ts';
import { extract, type Reading } from '../extract/extract.ts';
import type { Plan } from '../plan.ts';
import { inLanguageOf } from '../rank/query.ts';
import { rank } from '../rank/rank-points.ts';
import type { RequestDocument } from '../request.ts';
import type { Run } from '../run.ts';
import { plainQuote } from '../select/selected-points.ts';
import { type Filled, NOT_SAID, type Said, type TellCell } from './cells.ts';

const DOCUMENTS_AT_ONCE = 4;

/**
 * Answers each question from each document alone, as a digest of that document would: with its most relevant key point, if any passes.
 * Every document is read and encoded once.
 * @param plans one per question
 * @throws LimitExceededError for too many key points
 */
export async function fillFromSentences(
  run: Run,
  plans: readonly Plan[],
  documents: readonly RequestDocument[],
  tell: TellCell,
): Promise<Filled> {
  const reading = await extract(run, plans[0], documents, plans[0].query);
  const ofDocument = groupBy([...reading.points.keys()], (index) => reading.points[index].documentIndex);
  const limit = pLimit(DOCUMENTS_AT_ONCE);
  const fillRow = async (documentIndex: number) => {
    const indices = ofDocument.get(documentIndex) ?? [];
    const alone: Reading = {
      ...reading,
      documents: [reading.documents[documentIndex]],
      points: indices.map((index) => ({ ...reading.points[index], documentIndex: 0 })),
      vectors: indices.map((index) => reading.vectors[index]),
    };
    const row: Said[] = [];
    for (const [column, plan] of plans.entries()) {
      run.signal?.throwIfAborted();
      const cell = indices.length === 0 ? NOT_SAID : await cellOf(run, plan, alone);
      row.push(cell);
      tell(reading.documents[documentIndex].document.id, column, cell);
    }
    return row;
  };
  const rows = await Promise.all([...reading.documents.keys()].map((index) => limit(fillRow, index)));
  return { documents: reading.documents, rows, reused: reading.reused, warnings: [] };
}

async function cellOf(run: Run, plan: Plan, reading: Reading): Promise<Said> {
  const asked = inLanguageOf(plan.query, reading.documents);
  const question = { asked, searched: asked, isDegraded: false, warnings: [] };
  const { intent, kept, eligible, values } = await rank(run, plan, reading, question);
  const candidates = intent?.matched ? kept.filter((index) => eligible[index] === 1) : [];
  if (intent === null || candidates.length === 0) return NOT_SAID;
  const point = reading.points[candidates.reduce((best, index) => (values[index] > values[best] ? index : best))];
  return {
    answered: true,
    sure: intent.facets.every(({ matched, isSure = true }) => matched && isSure),
    text: sentenceText(point, {}, true),
    quote: plainQuote(point.quote),
    stated: point.text,
  };
}
