import { UnusableOptionError } from '../digest/unusable-option-error.ts';
import type { Database } from '../store/database.ts';
import type {
  ArgueOrder,
  EvaluationOrder,
  KeyPointRecallOrder,
  SourceCoverageOrder,
  SummHayOrder,
} from './evaluation-order.ts';
import { type EvaluatedDigest, readDigest } from './read-digest.ts';
import type {
  ArgueRequest,
  EvaluationRequest,
  Insight,
  KeyPointRecallRequest,
  SourceCoverageRequest,
  SummHayRequest,
} from './request.ts';

/**
 * Puts what a digest says, and the documents that it was made from, in the place of the digest; documents that the request
 * gives itself stay.
 *
 * @throws DigestNotFoundError
 * @throws UnusableOptionError for neither or both of the text and a digest, for a digest without an answer or whose texts are
 *   gone and needed, and for insights of documents that are none of those given
 */
export async function resolveRequest(order: EvaluationOrder, database: Database): Promise<EvaluationRequest> {
  switch (order.metric) {
    case 'summhay':
      return withBullets(order, database);
    case 'key-point-recall':
      return withAnswer(order, database);
    case 'argue':
      return withReport(order, database);
    case 'source-coverage':
      return withSummary(order, database);
  }
}

async function withBullets(
  { digest: id, bullets, documents, ...rest }: SummHayOrder,
  database: Database,
): Promise<SummHayRequest> {
  const digest = await digestInPlaceOf('bullets', bullets, id, database);
  // Those of a digest need not be all there are: it may have been made from what a search found.
  if (documents !== undefined) checkInsights(rest.insights, new Set(documents));
  return {
    ...rest,
    bullets: bullets ?? given(digest?.sentences, '/bullets'),
    documents: documents ?? digest?.documents,
  };
}

async function withAnswer(
  { digest: id, answer, documents, ...rest }: KeyPointRecallOrder,
  database: Database,
): Promise<KeyPointRecallRequest> {
  const digest = await digestInPlaceOf('answer', answer, id, database);
  return {
    ...rest,
    answer: answer ?? given(digest && textOf(digest), '/answer'),
    documents: documents ?? (await digest?.texts())?.map(({ text }) => text),
  };
}

async function withReport(
  { digest: id, report, documents, ...rest }: ArgueOrder,
  database: Database,
): Promise<ArgueRequest> {
  const digest = await digestInPlaceOf('report', report, id, database);
  const sentences = digest?.sentences.map(({ text, documents: citations }) => ({ text, citations }));
  return {
    ...rest,
    report: report ?? { sentences: given(sentences, '/report') },
    documents: documents ?? given(await digest?.texts(), '/documents'),
  };
}

async function withSummary(
  { digest: id, summary, documents, ...rest }: SourceCoverageOrder,
  database: Database,
): Promise<SourceCoverageRequest> {
  const digest = await digestInPlaceOf('summary', summary, id, database);
  return {
    ...rest,
    summary: summary ?? given(digest && textOf(digest), '/summary'),
    documents: documents ?? given(digest?.documents, '/documents'),
  };
}

async function digestInPlaceOf(
  field: string,
  value: unknown,
  id: string | undefined,
  database: Database,
): Promise<EvaluatedDigest | null> {
  if (id === undefined) return null;
  if (value === undefined) return readDigest(id, database);
  throw new UnusableOptionError('/digest', `comes in the place of "${field}", not beside it`);
}

function given<Value>(value: Value | null | undefined, pointer: string): Value {
  if (value == null) throw new UnusableOptionError(pointer, 'is needed, or a digest');
  return value;
}

function checkInsights(insights: readonly Insight[], known: ReadonlySet<string>): void {
  insights.forEach(({ documents = [] }, i) => {
    const j = documents.findIndex((document) => !known.has(document));
    if (j >= 0) throw new UnusableOptionError(`/insights/${i}/documents/${j}`, 'is not the id of one of the documents');
  });
}

/** The sentences as one text; a blank line parts them whatever they end in. */
function textOf({ sentences }: EvaluatedDigest): string {
  return sentences.map(({ text }) => text).join('\n\n');
}
