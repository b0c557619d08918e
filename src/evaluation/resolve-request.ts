import { UnusableOptionError } from '../digest/unusable-option-error.ts';
import type { Database } from '../store/database.ts';
import type {
  ArgueOrder,
  EvaluationOrder,
  KeyPointRecallOrder,
  SourceCoverageOrder,
  SummHayOrder,
} from '../contract/evaluation-order.ts';
import { splitBullets, splitSentences } from './marked-text/split-text.ts';
import { type EvaluatedDigest, readDigest } from './read-digest.ts';
import type {
  ArgueRequest,
  EvaluationRequest,
  Insight,
  KeyPointRecallRequest,
  SourceCoverageRequest,
  SummHayRequest,
} from '../contract/evaluation-request.ts';

/**
 * Puts what a digest says, and the documents that it was made from, in the place of the digest; documents that the request
 * gives itself stay. Splits a text that stands in the place of sentences or bullets.
 *
 * @throws DigestNotFoundError
 * @throws UnusableOptionError for neither or both of the text and a digest, for a digest without an answer or whose texts are
 *   gone and needed, for insights or sources of documents that are none of those given, and for sources without a text
 * @throws InvalidEvaluationError for a marker of a text that stands for no document
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
  { digest: id, bullets: given, documents, sources, ...rest }: SummHayOrder,
  database: Database,
): Promise<SummHayRequest> {
  const digest = await digestInPlaceOf('bullets', given, id, database);
  // Those of a digest need not be all there are: it may have been made from what a search found.
  if (documents !== undefined) checkInsights(rest.insights, new Set(documents));
  checkSources(sources, given, 'bullets', documents);
  const others = rest.insights.flatMap((insight) => insight.documents ?? []);
  const bullets = typeof given === 'string' ? splitBullets(given, { documents, sources, others }, '/bullets') : given;
  return {
    ...rest,
    bullets: bullets ?? needed(digest?.sentences, '/bullets'),
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
    answer: answer ?? needed(digest && textOf(digest), '/answer'),
    documents: documents ?? (await digest?.texts())?.map(({ text }) => text),
  };
}

async function withReport(
  { digest: id, report: given, documents, sources, ...rest }: ArgueOrder,
  database: Database,
): Promise<ArgueRequest> {
  const digest = await digestInPlaceOf('report', given, id, database);
  const ids = documents?.map((document) => document.id);
  checkSources(sources, given, 'report', ids);
  const split = typeof given === 'string' ? splitSentences(given, { documents: ids, sources }, '/report') : undefined;
  const sentences = (split ?? digest?.sentences)?.map(({ text, documents: citations }) => ({ text, citations }));
  return {
    ...rest,
    report: typeof given === 'object' ? given : { sentences: needed(sentences, '/report') },
    documents: documents ?? needed(await digest?.texts(), '/documents'),
  };
}

async function withSummary(
  { digest: id, summary, documents, ...rest }: SourceCoverageOrder,
  database: Database,
): Promise<SourceCoverageRequest> {
  const digest = await digestInPlaceOf('summary', summary, id, database);
  return {
    ...rest,
    summary: summary ?? needed(digest && textOf(digest), '/summary'),
    documents: documents ?? needed(digest?.documents, '/documents'),
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

function needed<Value>(value: Value | null | undefined, pointer: string): Value {
  if (value == null) throw new UnusableOptionError(pointer, 'is needed, or a digest');
  return value;
}

/** Refuses sources that number no text, or that are none of the documents. */
function checkSources(
  sources: readonly string[] | undefined,
  text: unknown,
  field: string,
  documents: readonly string[] | undefined,
): void {
  if (sources === undefined) return;
  if (typeof text !== 'string') {
    throw new UnusableOptionError('/sources', `number the markers of a text: send "${field}" as one`);
  }
  const i = documents === undefined ? -1 : sources.findIndex((source) => !documents.includes(source));
  if (i >= 0) throw new UnusableOptionError(`/sources/${i}`, 'is not the id of one of the documents');
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
