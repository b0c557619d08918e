import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type JsonForm } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import {
  groupBy,
  quoteAligner,
  type SourceDocument,
  type Span,
  sentences,
  utf8Length,
  windows,
} from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget, PassageSpan } from '../benchmark-set.ts';
import { bm25Scores } from '../retrieval/score-documents.ts';
import { type AskedModel, itemAt, mapConcurrent, numbered, oneLine, readItems, readNumber } from './asked-model.ts';
import { askedCases, type Counts, countNotes, type Maker, summed, totalCalls, UnfitSetError } from './maker.ts';
import { batches } from './merge-points.ts';

interface FoundNugget {
  readonly question: string;
  readonly answer: string;
  readonly spans: readonly PassageSpan[];
}

const foundItem = z.object({
  question: z.string(),
  answer: z.union([z.string(), z.number().transform(String)]),
  quote: z.string(),
});
const FOUND: JsonForm<z.infer<typeof foundItem>[]> = {
  name: 'nuggets',
  schema: z.object({ nuggets: readItems(foundItem) }).transform(({ nuggets }) => nuggets),
  asked: z.object({ nuggets: z.array(z.object({ question: z.string(), answer: z.string(), quote: z.string() })) }),
  wholeItems: true,
};

const MAX_ANSWER_WORDS = 14;
const DOCUMENT_SHARE = 0.4;
const TOKENS_PER_NUGGET = 90;

function partsOf({ text }: SourceDocument, contextTokens: number): readonly Span[] {
  return windows(text, { bytes: Math.max(1, DOCUMENT_SHARE * contextTokens * BYTES_PER_TOKEN), overlapBytes: 0 });
}

async function findNuggets(document: SourceDocument, request: string, count: number, model: AskedModel) {
  const answers = await Promise.all(
    partsOf(document, model.contextTokens).map(({ start, end }) => {
      const shown = document.text.slice(start, end);
      const share = Math.max(1, Math.round((count * utf8Length(shown)) / utf8Length(document.text)));
      const title = document.title === undefined ? '' : `${document.title}\n\n`;
      const values = {
        request: asData('request', request),
        document: asData('document', title + shown),
        count: String(share),
      };
      const maxTokens = Math.min(200 + TOKENS_PER_NUGGET * share, Math.floor(model.contextTokens / 3));
      return model.json('benchmark-nuggets', values, maxTokens, FOUND);
    }),
  );
  const aligner = quoteAligner(document.text);
  const counts = { incomplete: 0, longAnswers: 0, unquoted: 0, unread: answers.filter((each) => each === null).length };
  const nuggets = answers
    .flatMap((given) => given ?? [])
    .flatMap((given): FoundNugget[] => {
      const [question, answer] = [oneLine(given.question), oneLine(given.answer)];
      const spans = aligner.align(given.quote)?.spans ?? [];
      const fault =
        question === '' || answer === ''
          ? 'incomplete'
          : countWords(answer) > MAX_ANSWER_WORDS
            ? 'longAnswers'
            : spans.length === 0
              ? 'unquoted'
              : null;
      if (fault !== null) {
        counts[fault]++;
        return [];
      }
      return [{ question, answer, spans: spans.map(({ start, end }) => ({ document: document.id, start, end })) }];
    });
  return { nuggets: nuggets.slice(0, count), counts };
}

interface MergedNugget {
  readonly question: string;
  readonly importance: 'vital' | 'okay';
  readonly answers: readonly { readonly text: string; readonly spans: readonly PassageSpan[] }[];
  readonly parts: readonly FoundNugget[];
}

const mergedItem = z.object({
  question: z.string(),
  importance: z.enum(['vital', 'okay']).catch('okay'),
  answers: readItems(z.object({ text: z.string(), from: z.array(readNumber) })),
});
const MERGED: JsonForm<z.infer<typeof mergedItem>[]> = {
  name: 'merged',
  schema: z.object({ nuggets: readItems(mergedItem) }).transform(({ nuggets }) => nuggets),
  asked: z.object({
    nuggets: z.array(
      z.object({
        question: z.string(),
        importance: z.enum(['vital', 'okay']),
        answers: z.array(z.object({ text: z.string(), from: z.array(z.int()) })),
      }),
    ),
  }),
  wholeItems: true,
};

const [LIST_SHARE, ANSWER_SHARE] = [0.3, 0.45];
const MAX_LISTED = 120;

/** Each found nugget joins the first merged nugget that names it, or stays alone, graded okay; in the order of their first parts. */
async function mergeNuggets(found: readonly FoundNugget[], request: string, model: AskedModel) {
  const lines = found.map((nugget) => ({ nugget, text: `${nugget.question} / ${nugget.answer}` }));
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
      const left = new Set(batch.map(({ nugget }) => nugget));
      const take = (number: number): FoundNugget[] => {
        const nugget = itemAt(batch, number)?.nugget;
        if (nugget !== undefined && left.delete(nugget)) return [nugget];
        repaired++;
        return [];
      };
      const nuggets = (given ?? []).flatMap(({ question, importance, answers }): MergedNugget[] => {
        const built = answers.flatMap(({ text, from }) => {
          const parts = from.flatMap(take);
          return parts.length === 0 ? [] : [{ text: oneLine(text) || parts[0].answer, parts }];
        });
        const parts = built.flatMap((each) => each.parts);
        if (parts.length === 0) return [];
        const told = built.map(({ text, parts: of }) => ({ text, spans: of.flatMap(({ spans }) => spans) }));
        return [{ question: oneLine(question) || parts[0].question, importance, answers: told, parts }];
      });
      repaired += left.size;
      const alone = [...left].map(
        (nugget): MergedNugget => ({
          ...{ question: nugget.question, importance: 'okay', parts: [nugget] },
          answers: [{ text: nugget.answer, spans: nugget.spans }],
        }),
      );
      return [...nuggets, ...alone];
    }),
  );
  const places = new Map(found.map((nugget, place) => [nugget, place]));
  const firstOf = ({ parts }: MergedNugget) => Math.min(...parts.map((part) => places.get(part) ?? 0));
  return { nuggets: merged.flat().sort((a, b) => firstOf(a) - firstOf(b)), repaired };
}

const OTHER_DOCUMENTS = 5;

interface Candidate {
  readonly document: SourceDocument;
  readonly spans: readonly PassageSpan[];
}

function documentSearch(documents: readonly SourceDocument[]) {
  const texts = documents.map(({ text }) => text);
  const spans = documents.map(({ text }) => sentences(text));
  const sentenceTexts = documents.map(({ text }, place) =>
    spans[place].map(({ start, end }) => text.slice(start, end)),
  );
  return (query: string, taken: ReadonlySet<string>): Candidate[] => {
    const scores = bm25Scores(query, texts);
    return documents
      .flatMap(({ id }, place) => (scores[place] > 0 && !taken.has(id) ? [place] : []))
      .toSorted((a, b) => scores[b] - scores[a] || a - b)
      .slice(0, OTHER_DOCUMENTS)
      .flatMap((place) => {
        const nearness = bm25Scores(query, sentenceTexts[place]);
        const best = nearness.indexOf(Math.max(...nearness));
        const document = documents[place];
        return best < 0 ? [] : [{ document, spans: [{ document: document.id, ...spans[place][best] }] }];
      });
  };
}

const CHECKED_SHARE = 0.6;

/** The document, or as much around the likely spans as fits. */
function around({ document: { text }, spans }: Candidate, contextTokens: number): string {
  const room = Math.floor(CHECKED_SHARE * contextTokens * BYTES_PER_TOKEN);
  if (utf8Length(text) <= room) return text;
  const [start, end] = [Math.min(...spans.map((span) => span.start)), Math.max(...spans.map((span) => span.end))];
  // A UTF-16 unit has at most three bytes.
  const side = Math.max(0, Math.floor((room / 3 - (end - start)) / 2));
  return text.slice(Math.max(0, start - side), end + side);
}

type Attested = Omit<CaseNugget, 'id'>;

async function attested(
  { question, importance, answers }: MergedNugget,
  documents: ReadonlyMap<string, SourceDocument>,
  search: ReturnType<typeof documentSearch>,
  model: AskedModel,
) {
  const counts = { unattested: 0, compared: 0, boundToOthers: 0, uncompared: 0, unchecked: 0 };
  const bound = await mapConcurrent(answers, async ({ text, spans }) => {
    const taken = groupBy(spans, ({ document }) => document);
    const own = [...taken].map(([id, there]): Candidate => {
      const document = documents.get(id);
      if (document === undefined) throw new TypeError(`a nugget is of "${id}", which is no document of the case`);
      return { document, spans: there };
    });
    const others = search(`${question} ${text}`, new Set(taken.keys()));
    counts.compared += others.length;
    counts.uncompared += documents.size - own.length - others.length;
    const kept = await mapConcurrent([...own, ...others], async (candidate) => {
      const shown = asData('document', around(candidate, model.contextTokens));
      const values = { question: asData('question', question), answer: asData('answer', text), document: shown };
      const verdict = await model.yes('benchmark-attested', values);
      const isAttested = verdict !== null && verdict.share >= 0.5;
      const isOther = others.includes(candidate);
      counts.unchecked += Number(verdict === null);
      counts.unattested += Number(verdict !== null && !isAttested && !isOther);
      counts.boundToOthers += Number(isAttested && isOther);
      return isAttested ? candidate.spans : [];
    });
    const attesting = kept.flat();
    return { text, documents: [...new Set(attesting.map(({ document }) => document))], spans: attesting };
  });
  const left = bound.filter(({ documents: ids }) => ids.length > 0);
  const nugget: Attested | null = left.length === 0 ? null : { question, importance, answers: left };
  return { nugget, counts };
}

interface NuggetOptions {
  readonly perDocument: number;
  readonly nuggets: number;
  readonly contextTokens: number;
}

interface CaseNuggets {
  readonly nuggets: readonly CaseNugget[];
  readonly counts: Counts;
}

async function makeCase(
  request: string,
  documents: readonly SourceDocument[],
  { perDocument, nuggets: most }: NuggetOptions,
  model: AskedModel,
): Promise<CaseNuggets> {
  const read = await mapConcurrent(documents, (document) => findNuggets(document, request, perDocument, model));
  const found = read.flatMap(({ nuggets }) => nuggets);
  const { nuggets: merged, repaired } = await mergeNuggets(found, request, model);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const search = documentSearch(documents);
  const checked = await mapConcurrent(merged, (nugget) => attested(nugget, byId, search, model));
  const kept = checked.flatMap(({ nugget }) => nugget ?? []);
  const isOkay = ({ importance }: Attested) => Number(importance === 'okay');
  const documentsIn = ({ answers = [] }: Attested) => new Set(answers.flatMap(({ documents: ids = [] }) => ids)).size;
  const best = kept.toSorted((a, b) => isOkay(a) - isOkay(b) || documentsIn(b) - documentsIn(a)).slice(0, most);
  return {
    nuggets: best.map((nugget, place): CaseNugget => ({ id: `n${place + 1}`, ...nugget })),
    counts: {
      ...{ found: found.length, ...summed(read.map(({ counts }) => counts)), repaired, merged: merged.length },
      ...summed(checked.map(({ counts }) => counts)),
      ...{ surplus: kept.length - best.length, nuggets: best.length },
    },
  };
}

const NOTES_BY_COUNT = {
  found: 'Nuggets found in documents',
  merged: 'After merging',
  nuggets: 'Kept',
  incomplete: 'Dropped, incomplete',
  longAnswers: 'Dropped, with too long an answer',
  unquoted: 'Dropped, with a quote that their document does not hold',
  unattested: 'Pairs of an answer and the document it was taken from, which does not attest it',
  compared: 'Pairs of an answer and a further document that were checked',
  boundToOthers: 'Of them attest the answer',
  uncompared: 'Left unchecked, as their words are farther from it',
  surplus: 'Left out beyond --nuggets',
};
const [RULES_TOKENS, NUGGET_TOKENS, WORD_TOKENS] = [400, 80, 4];

/**
 * Makes nuggets for every case with an intent: questions with answers linked to attesting documents (ARGUE, Mayfield et
 * al. 2024, section 3; merged and graded as in TREC 2024 RAG). Answers are checked against their own and the nearest
 * documents.
 * @throws UnfitSetError if no case has an intent
 */
export function nuggetsMaker(set: BenchmarkSet, options: NuggetOptions): Maker<readonly CaseNuggets[]> {
  const { perDocument, nuggets: most, contextTokens } = options;
  const cases = askedCases(set);
  if (cases.length === 0) throw new UnfitSetError('No case of the set has an intent, which asks for nuggets.');
  const collections = new Map(set.collections.map(({ id, documents }) => [id, documents]));
  const documentsOf = ({ collection }: BenchmarkCase) => collections.get(collection) ?? [];
  return {
    step: 'nuggets',
    version: 2,
    options: { 'per-document': perDocument, nuggets: most, context: contextTokens },
    // Assumes one answer per nugget, and near documents.
    expected: () =>
      totalCalls(
        cases.flatMap((each) => {
          const documents = documentsOf(each);
          const parts = documents.reduce((sum, document) => sum + partsOf(document, contextTokens).length, 0);
          const tokens = documents.reduce((sum, { text }) => sum + utf8Length(text), 0) / BYTES_PER_TOKEN;
          const found = documents.length * perDocument;
          const checks = found * (1 + Math.min(OTHER_DOCUMENTS, documents.length - 1));
          return [
            [parts, RULES_TOKENS + tokens / parts, (NUGGET_TOKENS * found) / parts],
            [1, RULES_TOKENS, NUGGET_TOKENS * found],
            [checks, RULES_TOKENS + tokens / documents.length, WORD_TOKENS],
          ] as const;
        }),
      ),
    ask: (model) => mapConcurrent(cases, (each) => makeCase(each.intent, documentsOf(each), options, model)),
    build(made) {
      const counts = { cases: cases.length, ...summed(made.map((each) => each.counts)) };
      const byCase = new Map(cases.map(({ id }, place) => [id, made[place].nuggets]));
      const whole = set.cases.map((each) => {
        const own = byCase.get(each.id) ?? [];
        return own.length === 0 ? each : { ...each, nuggets: [...own] };
      });
      const isEmpty = made.every(({ nuggets }) => nuggets.length === 0);
      return { set: isEmpty ? null : { ...set, cases: whole }, counts, notes: countNotes(counts, NOTES_BY_COUNT) };
    },
  };
}
