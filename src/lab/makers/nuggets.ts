import { z } from 'zod';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import {
  contentHash,
  groupBy,
  quoteAligner,
  type SourceDocument,
  sentences,
  utf8Length,
  windows,
} from '../../text/index.ts';
import type { BenchmarkSet, CaseNugget, PassageSpan } from '../benchmark-set.ts';
import { bm25Scores } from '../retrieval/score-documents.ts';
import {
  type AskedModel,
  itemAt,
  listForm,
  numbered,
  readItems,
  readLine,
  readNumber,
  shownParts,
  usable,
} from './asked-model.ts';
import { caseMaker, type Maker } from './maker.ts';
import { batches } from './merge-points.ts';

const FOUND = listForm('nuggets', 'nuggets', z.object({ question: readLine, answer: readLine, quote: z.string() }));

const MAX_ANSWER_WORDS = 14;
const TOKENS_PER_NUGGET = 90;

async function findNuggets(document: SourceDocument, request: string, most: number, model: AskedModel) {
  const answers = await Promise.all(
    shownParts(document, most, model.contextTokens).map(({ shown, asked }) => {
      const values = { request: asData('request', request), document: shown, count: String(asked) };
      return model.json('benchmark-nuggets', values, 200 + TOKENS_PER_NUGGET * asked, FOUND);
    }),
  );
  const aligner = quoteAligner(document.text);
  const placed = answers.flat().map((nugget) => {
    const spans = nugget === null ? [] : (aligner.align(nugget.quote)?.spans ?? []);
    return nugget && { ...nugget, spans: spans.map(({ start, end }) => ({ document: document.id, start, end })) };
  });
  const found = usable(placed, model, ({ question, answer, spans }) => {
    if (question === '' || answer === '') return 'incomplete';
    if (countWords(answer) > MAX_ANSWER_WORDS) return 'longAnswers';
    return spans.length === 0 ? 'unquoted' : null;
  });
  return found.slice(0, most);
}

type FoundNugget = Awaited<ReturnType<typeof findNuggets>>[number];

const MERGED = listForm(
  'merged',
  'nuggets',
  z.object({
    question: readLine,
    importance: z.enum(['vital', 'okay']).catch('okay'),
    answers: readItems(z.object({ text: readLine, from: z.array(readNumber) })),
  }),
);

const LIST_SHARE = 0.3;
const MAX_LISTED = 120;

/** Each found nugget joins the first merged nugget that names it, or stays alone, graded okay; in the order of their first parts. */
async function mergeNuggets(found: readonly FoundNugget[], request: string, model: AskedModel) {
  const lines = found.map((nugget, place) => ({ ...nugget, place, text: `${nugget.question} / ${nugget.answer}` }));
  const room = { items: MAX_LISTED, bytes: LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN };
  const merged = await Promise.all(
    batches(lines, room).map(async (batch) => {
      const values = { request: asData('request', request), nuggets: numbered('nuggets', batch) };
      const given = await model.json('benchmark-merge-nuggets', values, TOKENS_PER_NUGGET * batch.length, MERGED);
      const alone = batch.map(({ question, answer }, place) => ({
        ...{ question, importance: 'okay' as const, answers: [{ text: answer, from: [place + 1] }] },
      }));
      const left = new Set(batch);
      return [...(given ?? []), ...alone].flatMap(({ question, importance, answers }) => {
        const own = answers.flatMap(({ text, from }) => {
          const parts = from.flatMap((number) => itemAt(batch, number) ?? []).filter((each) => left.delete(each));
          return parts.length === 0 ? [] : [{ text: text || parts[0].answer, parts }];
        });
        const parts = own.flatMap((answer) => answer.parts);
        if (parts.length === 0) return [];
        return [
          {
            ...{ question: question || parts[0].question, importance },
            answers: own.map(({ text, parts: of }) => ({ text, spans: of.flatMap(({ spans }) => spans) })),
            first: Math.min(...parts.map(({ place }) => place)),
          },
        ];
      });
    }),
  );
  return merged.flat().sort((a, b) => a.first - b.first);
}

const OTHER_DOCUMENTS = 5;

const CHECKED_SHARE = 0.6;

/** The document, or the part with the first likely span that fits. */
function around(text: string, spans: readonly PassageSpan[], contextTokens: number): string {
  const bytes = Math.floor(CHECKED_SHARE * contextTokens * BYTES_PER_TOKEN);
  const part = windows(text, { bytes, overlapBytes: 0 }).find(({ end }) => end > spans[0].start);
  return part === undefined ? text : text.slice(part.start, part.end);
}

/** Binds an answer to those of its own and of the other documents nearest by words (BM25) that attest it; these with their nearest sentence. */
function attester(documents: readonly SourceDocument[], model: AskedModel) {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  // One list for all answers: words are counted once per list.
  const searched = [...texts.values()];
  const nearest = (query: string, taken: ReadonlySet<string>) => {
    const scores = bm25Scores(query, searched);
    return documents
      .map(({ id, text }, place) => ({ id, text, score: scores[place] }))
      .filter(({ id, score }) => score > 0 && !taken.has(id))
      .sort((a, b) => b.score - a.score)
      .slice(0, OTHER_DOCUMENTS)
      .map(({ id, text }) => {
        const spans = sentences(text);
        const nearness = bm25Scores(
          query,
          spans.map(({ start, end }) => text.slice(start, end)),
        );
        return { id, spans: [{ document: id, ...spans[nearness.indexOf(Math.max(...nearness))] }] };
      });
  };
  return async (question: string, text: string, spans: readonly PassageSpan[]) => {
    const own = [...groupBy(spans, ({ document }) => document)].map(([id, there]) => ({ id, spans: there }));
    const others = nearest(`${question} ${text}`, new Set(own.map(({ id }) => id)));
    const checks = await Promise.all(
      [...own, ...others].map(({ id, spans: there }) => {
        const document = asData('document', around(texts.get(id) ?? '', there, model.contextTokens));
        const values = { question: asData('question', question), answer: asData('answer', text), document };
        return model.yes('benchmark-attested', values);
      }),
    );
    const bound = [...own, ...others].filter((_, place) => (checks[place] ?? 0) >= 0.5);
    model.count('compared', others.length);
    model.count('uncompared', documents.length - own.length - others.length);
    model.count('unattested', own.filter((each) => !bound.includes(each)).length);
    model.count('boundToOthers', others.filter((each) => bound.includes(each)).length);
    return { text, documents: bound.map(({ id }) => id), spans: bound.flatMap((each) => each.spans) };
  };
}

const [RULES_TOKENS, NUGGET_TOKENS, WORD_TOKENS] = [400, 80, 4];

/**
 * Makes nuggets for every case with an intent: questions with answers linked to attesting documents (ARGUE, Mayfield et
 * al. 2024, section 4.4; merged and graded as in TREC 2024 RAG). Vital ones come first, then those of more documents.
 * @param pooled texts of several systems by case, in which nuggets are found in place of the documents
 * @throws UnfitSetError if no case has an intent
 */
export function nuggetsMaker(
  set: BenchmarkSet,
  options: { readonly 'per-document': number; readonly nuggets: number },
  pooled: ReadonlyMap<string, readonly string[]> | null = null,
): Maker {
  const { 'per-document': perDocument, nuggets: most } = options;
  const readFor = (id: string, documents: readonly SourceDocument[]): readonly SourceDocument[] =>
    pooled === null ? documents : (pooled.get(id) ?? []).map((text, place) => ({ id: String(place), text }));
  return caseMaker(set, {
    ...{ step: 'nuggets', version: 3, field: 'nuggets' },
    options: { ...options, ...(pooled && { pooled: contentHash(JSON.stringify([...pooled])) }) },
    // Assumes one answer per nugget, and near documents.
    expected(documents, contextTokens, id) {
      const read = readFor(id, documents);
      const parts = Math.max(1, read.flatMap((document) => shownParts(document, 1, contextTokens)).length);
      const tokens = read.reduce((sum, { text }) => sum + utf8Length(text), 0) / BYTES_PER_TOKEN;
      const found = read.length * perDocument;
      const checks = found * Math.min(1 + OTHER_DOCUMENTS, documents.length);
      return [
        [parts, RULES_TOKENS + tokens / parts, (NUGGET_TOKENS * found) / parts],
        [1, RULES_TOKENS, NUGGET_TOKENS * found],
        [checks, RULES_TOKENS + tokens / documents.length, WORD_TOKENS],
      ];
    },
    async make(request, documents, model, id) {
      const read = readFor(id, documents);
      const own = await Promise.all(read.map((each) => findNuggets(each, request, perDocument, model)));
      // What a system said stands in no document yet: those nearest by words are asked.
      const found = pooled === null ? own : own.map((some) => some.map((nugget) => ({ ...nugget, spans: [] })));
      const merged = await mergeNuggets(found.flat(), request, model);
      const attest = attester(documents, model);
      const checked = await Promise.all(
        merged.map(async ({ question, importance, answers }) => {
          const bound = await Promise.all(answers.map(({ text, spans }) => attest(question, text, spans)));
          return { question, importance, answers: bound.filter((answer) => answer.documents.length > 0) };
        }),
      );
      const kept = checked.filter(({ answers }) => answers.length > 0);
      const isOkay = ({ importance }: (typeof kept)[number]) => Number(importance === 'okay');
      const documentsIn = ({ answers }: (typeof kept)[number]) =>
        new Set(answers.flatMap((answer) => answer.documents)).size;
      const best = kept.toSorted((a, b) => isOkay(a) - isOkay(b) || documentsIn(b) - documentsIn(a)).slice(0, most);
      model.count('found', found.flat().length);
      model.count('merged', merged.length);
      model.count('surplus', kept.length - best.length);
      model.count('nuggets', best.length);
      return best.map((nugget, place): CaseNugget => ({ id: `n${place + 1}`, ...nugget }));
    },
  });
}
