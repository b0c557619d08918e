import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { groupBy, type SourceDocument, type Span, utf8Length } from '../../text/index.ts';
import { type AskedModel, type Protocol, yesProbability } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import { askedCases } from '../key-points/make-key-points.ts';
import { findNuggets, partsOf } from './find-nuggets.ts';
import { type MergedNugget, mergeNuggets } from './merge-nuggets.ts';
import { OTHER_DOCUMENTS, otherDocuments, type SearchedDocuments, searchedDocuments } from './other-documents.ts';

/** To be raised where the same answers make other nuggets. */
const VERSION = 2;

interface NuggetOptions {
  /** Nuggets that are taken from a document at most. */
  readonly perDocument: number;
  /** Nuggets of a case at most. */
  readonly nuggets: number;
  /** Tokens that the model takes; the parts in which documents are read depend on it. */
  readonly contextTokens: number;
}

/** Of rules and form beside what is shown, and of an answer, for the estimate alone. */
const [RULES_TOKENS, NUGGET_TOKENS, WORD_TOKENS] = [400, 80, 4];

/**
 * Nuggets for every case with an intent: questions with answers bound to the documents that attest them (ARGUE, Mayfield et al.
 * 2024, section 3; merged and graded by a model as nuggets are in TREC 2024 RAG). Found document by document and merged; every answer is
 * checked against the documents that it was taken from and those nearest to it, and bound to those that attest it. The best are kept: vital
 * ones first, then those that more documents attest.
 *
 * @returns nuggets by the id of the case
 */
export function nuggetsProtocol(
  set: BenchmarkSet,
  { perDocument, nuggets: most, contextTokens }: NuggetOptions,
): Protocol<ReadonlyMap<string, readonly CaseNugget[]>> {
  const cases = askedCases(set);
  const collections = new Map(set.collections.map(({ id, documents }) => [id, documents]));
  const documentsOf = ({ collection }: BenchmarkCase) => collections.get(collection) ?? [];

  return {
    step: 'nuggets',
    version: VERSION,
    options: { 'per-document': perDocument, nuggets: most, context: contextTokens },
    expected() {
      const documents = cases.flatMap(documentsOf);
      const parts = documents.reduce((sum, document) => sum + partsOf(document, contextTokens).length, 0);
      const bytes = documents.reduce((sum, { text }) => sum + utf8Length(text), 0);
      const found = documents.length * perDocument;
      const read = bytes / BYTES_PER_TOKEN;
      // As if every nugget had an answer of its own, and other documents that are near.
      const compared = cases.reduce((sum, each) => {
        const { length } = documentsOf(each);
        return sum + length * perDocument * Math.min(OTHER_DOCUMENTS, Math.max(0, length - 1));
      }, 0);
      const perCheck = documents.length === 0 ? 0 : read / documents.length;
      return {
        calls: parts + cases.length + found + compared,
        promptTokens: Math.ceil(
          (1 + perDocument) * read + perCheck * compared + RULES_TOKENS * (parts + found + compared),
        ),
        completionTokens: 2 * NUGGET_TOKENS * found + WORD_TOKENS * (found + compared),
      };
    },
    async make(model) {
      const made = await mapConcurrent(
        cases.map((each) => () => makeCase(each.intent, documentsOf(each), { perDocument, most }, model)),
      );
      const total = (name: keyof (typeof made)[number]['counts']) =>
        made.reduce((sum, { counts }) => sum + counts[name], 0);
      return {
        result: new Map(cases.map(({ id }, place) => [id, made[place].nuggets])),
        counts: {
          cases: cases.length,
          found: total('found'),
          incomplete: total('incomplete'),
          longAnswers: total('longAnswers'),
          unquoted: total('unquoted'),
          unread: total('unread'),
          repaired: total('repaired'),
          merged: total('merged'),
          unattested: total('unattested'),
          compared: total('compared'),
          boundToOthers: total('boundToOthers'),
          uncompared: total('uncompared'),
          unchecked: total('unchecked'),
          surplus: total('surplus'),
          nuggets: total('nuggets'),
        },
      };
    },
  };
}

async function makeCase(
  request: string,
  documents: readonly SourceDocument[],
  { perDocument, most }: { readonly perDocument: number; readonly most: number },
  model: AskedModel,
) {
  const read = await mapConcurrent(
    documents.map((document) => () => findNuggets(document, request, perDocument, model)),
  );
  const found = read.flatMap(({ nuggets }) => nuggets);
  const { nuggets: merged, repaired } = found.length === 0 ? NONE : await mergeNuggets(found, request, model);
  const searched = searchedDocuments(documents);
  const checked = await mapConcurrent(merged.map((nugget) => () => attested(nugget, searched, model)));
  const kept = checked.flatMap(({ nugget }) => nugget ?? []);
  const sum = (of: (each: (typeof read)[number]['counts']) => number) =>
    read.reduce((total, { counts }) => total + of(counts), 0);
  const total = (name: keyof BindingCounts) => checked.reduce((all, each) => all + each.counts[name], 0);
  const best = bestOf(kept, most);
  return {
    nuggets: best.map((nugget, place): CaseNugget => ({ id: `n${place + 1}`, ...nugget })),
    counts: {
      found: found.length,
      incomplete: sum(({ incomplete }) => incomplete),
      longAnswers: sum(({ longAnswers }) => longAnswers),
      unquoted: sum(({ unquoted }) => unquoted),
      unread: sum(({ unread }) => unread),
      repaired,
      merged: merged.length,
      unattested: total('unattested'),
      compared: total('compared'),
      boundToOthers: total('boundToOthers'),
      uncompared: total('uncompared'),
      unchecked: total('unchecked'),
      surplus: kept.length - best.length,
      nuggets: best.length,
    },
  };
}

const NONE = { nuggets: [], repaired: 0 } as const;

type Attested = Omit<CaseNugget, 'id'>;

/** Pairs of an answer and a document: taken from it and not attested by it; checked beside those, and attested; left unchecked; without a verdict. */
type BindingCounts = Record<'unattested' | 'compared' | 'boundToOthers' | 'uncompared' | 'unchecked', number>;

/** A nugget with the documents that were found to attest its answers; null where nothing is left of it. */
async function attested(
  { question, importance, answers }: MergedNugget,
  searched: SearchedDocuments,
  model: AskedModel,
): Promise<{ readonly nugget: Attested | null; readonly counts: BindingCounts }> {
  const counts: BindingCounts = { unattested: 0, compared: 0, boundToOthers: 0, uncompared: 0, unchecked: 0 };
  const documents = new Map(searched.documents.map((document) => [document.id, document]));
  /** Null where the model could not be brought to answer. */
  const isAttested = async (answer: string, document: SourceDocument, spans: readonly Span[]) => {
    const values = {
      question: asData('question', question),
      answer: asData('answer', answer),
      document: asData('document', around(document, spans, model.contextTokens)),
    };
    const verdict = await yesProbability(model, { prompt: model.prompt('benchmark-attested'), values });
    if (verdict === null) counts.unchecked++;
    return verdict === null ? null : verdict.share >= 0.5;
  };
  const checkAnswer = async ({ text, spans }: MergedNugget['answers'][number]) => {
    const taken = groupBy(spans, ({ document }) => document);
    const near = otherDocuments(question, text, new Set(taken.keys()), searched);
    counts.compared += near.length;
    counts.uncompared += documents.size - taken.size - near.length;
    const own = [...taken].map(([id, there]) => async () => {
      const document = documents.get(id);
      if (document === undefined) throw new TypeError(`a nugget is of "${id}", which is no document of the case`);
      const verdict = await isAttested(text, document, there);
      if (verdict === false) counts.unattested++;
      return verdict === true ? there : [];
    });
    const others = near.map(({ document, nearest: { start, end } }) => async () => {
      const there = [{ document: document.id, start, end }];
      const verdict = await isAttested(text, document, there);
      if (verdict === true) counts.boundToOthers++;
      return verdict === true ? there : [];
    });
    const bound = (await mapConcurrent([...own, ...others])).flat();
    return { text, documents: [...new Set(bound.map(({ document }) => document))], spans: bound };
  };
  const checked = await mapConcurrent(answers.map((answer) => () => checkAnswer(answer)));
  const left = checked.filter(({ documents: ids }) => ids.length > 0);
  return { nugget: left.length === 0 ? null : { question, importance, answers: left }, counts };
}

const CHECKED_SHARE = 0.6;

/** The document, or as much around the words that are said to attest the answer as fits the context. */
function around({ text }: SourceDocument, spans: readonly Span[], contextTokens: number): string {
  const room = Math.floor(CHECKED_SHARE * contextTokens * BYTES_PER_TOKEN);
  if (utf8Length(text) <= room) return text;
  const [start, end] = [Math.min(...spans.map((span) => span.start)), Math.max(...spans.map((span) => span.end))];
  // A character has at most three bytes for each UTF-16 unit.
  const side = Math.max(0, Math.floor((room / 3 - (end - start)) / 2));
  return text.slice(Math.max(0, start - side), Math.max(end, start) + side);
}

function bestOf(nuggets: readonly Attested[], most: number): readonly Attested[] {
  const documentsIn = ({ answers = [] }: Attested) => new Set(answers.flatMap(({ documents = [] }) => documents)).size;
  const isOkay = ({ importance }: Attested) => Number(importance === 'okay');
  return nuggets.toSorted((a, b) => isOkay(a) - isOkay(b) || documentsIn(b) - documentsIn(a)).slice(0, most);
}
