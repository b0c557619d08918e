import { z } from 'zod';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import { groupBy, quoteAligner, type SourceDocument, sentences, utf8Length, windows } from '../../text/index.ts';
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
} from './asked-model.ts';
import { caseMaker, type Maker, summed } from './maker.ts';
import { batches } from './merge-points.ts';

interface FoundNugget {
  readonly question: string;
  readonly answer: string;
  readonly spans: readonly PassageSpan[];
}

const foundItem = z.object({ question: readLine, answer: readLine, quote: z.string() });
const FOUND = listForm('nuggets', 'nuggets', foundItem);

const MAX_ANSWER_WORDS = 14;
const DOCUMENT_SHARE = 0.4;
const TOKENS_PER_NUGGET = 90;

function partsOf(document: SourceDocument, contextTokens: number) {
  return shownParts(document, Math.max(1, DOCUMENT_SHARE * contextTokens * BYTES_PER_TOKEN));
}

async function findNuggets(document: SourceDocument, request: string, count: number, model: AskedModel) {
  const answers = await Promise.all(
    partsOf(document, model.contextTokens).map(({ shown, share }) => {
      const most = Math.max(1, Math.round(count * share));
      const values = { request: asData('request', request), document: shown, count: String(most) };
      const maxTokens = Math.min(200 + TOKENS_PER_NUGGET * most, Math.floor(model.contextTokens / 3));
      return model.json('benchmark-nuggets', values, maxTokens, FOUND);
    }),
  );
  const aligner = quoteAligner(document.text);
  const dropped = { incomplete: 0, longAnswers: 0, unquoted: 0 };
  const given = answers.flatMap((each) => each ?? []);
  const nuggets = given.flatMap(({ question, answer, quote }): FoundNugget[] => {
    const spans = aligner.align(quote)?.spans ?? [];
    if (question === '' || answer === '') dropped.incomplete++;
    else if (countWords(answer) > MAX_ANSWER_WORDS) dropped.longAnswers++;
    else if (spans.length === 0) dropped.unquoted++;
    else return [{ question, answer, spans: spans.map(({ start, end }) => ({ document: document.id, start, end })) }];
    return [];
  });
  const kept = nuggets.slice(0, count);
  const unread = answers.filter((each) => each === null).length;
  return { nuggets: kept, counts: { found: kept.length, ...dropped, unread } };
}

interface MergedNugget {
  readonly question: string;
  readonly importance: 'vital' | 'okay';
  readonly answers: readonly { readonly text: string; readonly spans: readonly PassageSpan[] }[];
  /** Place of the first found nugget. */
  readonly first: number;
}

const mergedItem = z.object({
  question: readLine,
  importance: z.enum(['vital', 'okay']).catch('okay'),
  answers: readItems(z.object({ text: readLine, from: z.array(readNumber) })),
});
const MERGED = listForm('merged', 'nuggets', mergedItem);

const [LIST_SHARE, ANSWER_SHARE] = [0.3, 0.45];
const MAX_LISTED = 120;

/** Each found nugget joins the first merged nugget that names it, or stays alone, graded okay; in the order of their first parts. */
async function mergeNuggets(found: readonly FoundNugget[], request: string, model: AskedModel) {
  const lines = found.map((nugget, place) => ({ ...nugget, place, text: `${nugget.question} / ${nugget.answer}` }));
  const room = { items: MAX_LISTED, bytes: LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN };
  let repaired = 0;
  const merged = await Promise.all(
    batches(lines, room).map(async (batch): Promise<MergedNugget[]> => {
      const values = {
        request: asData('request', request),
        nuggets: asData('nuggets', numbered(batch.map(({ text }) => text))),
      };
      const maxTokens = Math.floor(ANSWER_SHARE * model.contextTokens);
      const given = await model.json('benchmark-merge-nuggets', values, maxTokens, MERGED);
      const left = new Set(batch);
      const take = (number: number) => {
        const nugget = itemAt(batch, number);
        if (nugget !== undefined && left.delete(nugget)) return [nugget];
        repaired++;
        return [];
      };
      const build = ({ question, importance, answers }: z.infer<typeof mergedItem>): MergedNugget[] => {
        const own = answers
          .map(({ text, from }) => ({ text, of: from.flatMap(take) }))
          .filter(({ of }) => of.length > 0);
        const parts = own.flatMap(({ of }) => of);
        if (parts.length === 0) return [];
        const told = own.map(({ text, of }) => ({
          text: text || of[0].answer,
          spans: of.flatMap(({ spans }) => spans),
        }));
        const first = Math.min(...parts.map(({ place }) => place));
        return [{ question: question || parts[0].question, importance, answers: told, first }];
      };
      const nuggets = (given ?? []).flatMap(build);
      repaired += left.size;
      const alone = batch.flatMap((each, place) => {
        const own = { question: '', importance: 'okay' as const, answers: [{ text: '', from: [place + 1] }] };
        return left.has(each) ? build(own) : [];
      });
      return [...nuggets, ...alone];
    }),
  );
  return { nuggets: merged.flat().sort((a, b) => a.first - b.first), repaired };
}

const OTHER_DOCUMENTS = 5;

/** The documents nearest to a query by words (BM25), each with its nearest sentence. */
function documentSearch(documents: readonly SourceDocument[]) {
  const texts = documents.map(({ text }) => text);
  const spans = texts.map((text) => sentences(text));
  return (query: string, taken: ReadonlySet<string>) => {
    const scores = bm25Scores(query, texts);
    return documents
      .flatMap(({ id }, place) => (scores[place] > 0 && !taken.has(id) ? [place] : []))
      .toSorted((a, b) => scores[b] - scores[a] || a - b)
      .slice(0, OTHER_DOCUMENTS)
      .map((place) => {
        const parts = spans[place].map(({ start, end }) => texts[place].slice(start, end));
        const nearness = bm25Scores(query, parts);
        const best = spans[place][nearness.indexOf(Math.max(...nearness))];
        return { id: documents[place].id, spans: [{ document: documents[place].id, ...best }] };
      });
  };
}

const CHECKED_SHARE = 0.6;

/** The document, or the part with the first likely span that fits. */
function around(text: string, spans: readonly PassageSpan[], contextTokens: number): string {
  const bytes = Math.floor(CHECKED_SHARE * contextTokens * BYTES_PER_TOKEN);
  const part = windows(text, { bytes, overlapBytes: 0 }).find(({ end }) => end > spans[0].start);
  return part === undefined ? text : text.slice(part.start, part.end);
}

/** Binds each answer to those of its own and the nearest other documents that attest it. */
async function attested(
  { question, importance, answers }: MergedNugget,
  texts: ReadonlyMap<string, string>,
  search: ReturnType<typeof documentSearch>,
  model: AskedModel,
) {
  const counts = { unattested: 0, compared: 0, boundToOthers: 0, uncompared: 0, unchecked: 0 };
  const bound = await Promise.all(
    answers.map(async ({ text, spans }) => {
      const own = [...groupBy(spans, ({ document }) => document)].map(([id, there]) => ({ id, spans: there }));
      const others = search(`${question} ${text}`, new Set(own.map(({ id }) => id)));
      counts.compared += others.length;
      counts.uncompared += texts.size - own.length - others.length;
      const check = async ({ id, spans: there }: (typeof own)[number], isOther: boolean) => {
        const document = asData('document', around(texts.get(id) ?? '', there, model.contextTokens));
        const values = { question: asData('question', question), answer: asData('answer', text), document };
        const verdict = await model.yes('benchmark-attested', values);
        const isAttested = verdict !== null && verdict.share >= 0.5;
        counts.unchecked += Number(verdict === null);
        counts.unattested += Number(verdict !== null && !isAttested && !isOther);
        counts.boundToOthers += Number(isAttested && isOther);
        return isAttested ? [{ id, spans: there }] : [];
      };
      const checks = [...own.map((each) => check(each, false)), ...others.map((each) => check(each, true))];
      const kept = (await Promise.all(checks)).flat();
      return { text, documents: kept.map(({ id }) => id), spans: kept.flatMap((each) => each.spans) };
    }),
  );
  const left = bound.filter(({ documents }) => documents.length > 0);
  return { nuggets: left.length === 0 ? [] : [{ question, importance, answers: left }], counts };
}

const [RULES_TOKENS, NUGGET_TOKENS, WORD_TOKENS] = [400, 80, 4];

/**
 * Makes nuggets for every case with an intent: questions with answers linked to attesting documents (ARGUE, Mayfield et
 * al. 2024, section 3; merged and graded as in TREC 2024 RAG). Vital ones come first, then those of more documents.
 * @throws UnfitSetError if no case has an intent
 */
export function nuggetsMaker(
  set: BenchmarkSet,
  options: { readonly 'per-document': number; readonly nuggets: number },
): Maker {
  const { 'per-document': perDocument, nuggets: most } = options;
  return caseMaker(set, {
    ...{ step: 'nuggets', version: 2, field: 'nuggets', options },
    // Assumes one answer per nugget, and near documents.
    expected(documents, contextTokens) {
      const parts = documents.reduce((sum, document) => sum + partsOf(document, contextTokens).length, 0);
      const tokens = documents.reduce((sum, { text }) => sum + utf8Length(text), 0) / BYTES_PER_TOKEN;
      const found = documents.length * perDocument;
      return [
        [parts, RULES_TOKENS + tokens / parts, (NUGGET_TOKENS * found) / parts],
        [1, RULES_TOKENS, NUGGET_TOKENS * found],
        [
          found * Math.min(1 + OTHER_DOCUMENTS, documents.length),
          RULES_TOKENS + tokens / documents.length,
          WORD_TOKENS,
        ],
      ];
    },
    async make(request, documents, model) {
      const read = await Promise.all(documents.map((each) => findNuggets(each, request, perDocument, model)));
      const found = read.flatMap(({ nuggets }) => nuggets);
      const { nuggets: merged, repaired } = await mergeNuggets(found, request, model);
      const texts = new Map(documents.map(({ id, text }) => [id, text]));
      const search = documentSearch(documents);
      const checked = await Promise.all(merged.map((each) => attested(each, texts, search, model)));
      const kept = checked.flatMap(({ nuggets }) => nuggets);
      const isOkay = ({ importance }: (typeof kept)[number]) => Number(importance === 'okay');
      const documentsIn = ({ answers }: (typeof kept)[number]) =>
        new Set(answers.flatMap((answer) => answer.documents)).size;
      const best = kept.toSorted((a, b) => isOkay(a) - isOkay(b) || documentsIn(b) - documentsIn(a)).slice(0, most);
      const made = best.map((nugget, place): CaseNugget => ({ id: `n${place + 1}`, ...nugget }));
      return {
        made,
        counts: {
          ...{ ...summed(read.map(({ counts }) => counts)), repaired, merged: merged.length },
          ...summed(checked.map(({ counts }) => counts)),
          ...{ surplus: kept.length - made.length, nuggets: made.length },
        },
      };
    },
  });
}
