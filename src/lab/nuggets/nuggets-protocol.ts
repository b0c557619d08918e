import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { groupBy, type SourceDocument, utf8Length } from '../../text/index.ts';
import { type AskedModel, type Protocol, yesProbability } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget, PassageSpan } from '../benchmark-set.ts';
import { askedCases } from '../key-points/make-key-points.ts';
import { findNuggets, partsOf } from './find-nuggets.ts';
import { type MergedNugget, mergeNuggets } from './merge-nuggets.ts';

/** To be raised where the same answers make other nuggets. */
const VERSION = 1;

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
 * 2024, section 3; merged and graded by a model as nuggets are in TREC 2024 RAG). Found document by document, merged, every binding checked,
 * and the best kept: vital ones first, then those that more documents attest.
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
      return {
        calls: parts + cases.length + found,
        promptTokens: Math.ceil((1 + perDocument) * read + RULES_TOKENS * (parts + found)),
        completionTokens: 2 * NUGGET_TOKENS * found + WORD_TOKENS * found,
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
  const byId = new Map(documents.map((document) => [document.id, document]));
  const checked = await mapConcurrent(merged.map((nugget) => () => attested(nugget, byId, model)));
  const kept = checked.flatMap(({ nugget }) => nugget ?? []);
  const sum = (of: (each: (typeof read)[number]['counts']) => number) =>
    read.reduce((total, { counts }) => total + of(counts), 0);
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
      unattested: checked.reduce((total, each) => total + each.unattested, 0),
      unchecked: checked.reduce((total, each) => total + each.unchecked, 0),
      surplus: kept.length - best.length,
      nuggets: best.length,
    },
  };
}

const NONE = { nuggets: [], repaired: 0 } as const;

type Attested = Omit<CaseNugget, 'id'>;

/** A nugget with what documents were found to attest; null where nothing is left of it. */
async function attested(
  { question, importance, answers }: MergedNugget,
  documents: ReadonlyMap<string, SourceDocument>,
  model: AskedModel,
): Promise<{ readonly nugget: Attested | null; readonly unattested: number; readonly unchecked: number }> {
  let [unattested, unchecked] = [0, 0];
  const told = await mapConcurrent(
    answers.map(({ text, spans }) => async () => {
      const bound = [...groupBy(spans, ({ document }) => document)];
      const held = await mapConcurrent(
        bound.map(([id, own]) => async () => {
          const document = documents.get(id);
          if (document === undefined) throw new TypeError(`a nugget is of "${id}", which is no document of the case`);
          const values = {
            question: asData('question', question),
            answer: asData('answer', text),
            document: asData('document', around(document, own, model.contextTokens)),
          };
          const verdict = await yesProbability(model, { prompt: model.prompt('benchmark-attested'), values });
          if (verdict === null) unchecked++;
          else if (verdict.share < 0.5) unattested++;
          return verdict !== null && verdict.share >= 0.5 ? own : [];
        }),
      );
      const kept = held.flat();
      return { text, documents: [...new Set(kept.map(({ document }) => document))], spans: kept };
    }),
  );
  const left = told.filter(({ documents: ids }) => ids.length > 0);
  return { nugget: left.length === 0 ? null : { question, importance, answers: left }, unattested, unchecked };
}

const CHECKED_SHARE = 0.6;

/** The document, or as much around the words that are said to attest the answer as fits the context. */
function around({ text }: SourceDocument, spans: readonly PassageSpan[], contextTokens: number): string {
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
