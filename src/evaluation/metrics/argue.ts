import { groupBy } from '../../text/index.ts';
import type { EntailmentTask, Judge, SentenceKind } from '../judge.ts';
import { splitSentences, stripMarkers } from '../marked-text.ts';
import { checkEach, checkSources, harmonicMean, isRepeated, type Metric, mean, needed, share, sum } from '../metric.ts';
import * as shape from '../shapes.ts';
import {
  type ArgueAnswer,
  type ArgueEvaluation,
  type ArgueOrder,
  type ArgueRequest,
  argueAnswer,
  argueOrder,
  type ReportSentence,
  type SentenceOutcome,
} from './argue-shapes.ts';

const ORDER: ArgueOrder = {
  metric: 'argue',
  request: { problem: 'What did the congestion charge change?' },
  report: { sentences: [{ text: shape.FACT, citations: ['council'] }] },
  nuggets: [
    {
      id: 'traffic',
      question: 'How did traffic change?',
      answers: [{ text: shape.FACT, documents: ['council'] }],
    },
  ],
  documents: [{ id: 'council', text: `${shape.FACT} The charge raised 40 million euros.` }],
};

const ANSWER: ArgueEvaluation = {
  metric: 'argue',
  precision: 100,
  recall: 100,
  vitalRecall: 100,
  f1: 100,
  citationSupport: 100,
  sentences: [
    {
      text: shape.FACT,
      outcome: 3,
      nuggets: ['traffic'],
      citations: [{ document: 'council', supported: true, evidence: null }],
    },
  ],
  nuggets: [{ id: 'traffic', reported: true, sentences: [0] }],
  ...shape.JUDGED_EXAMPLE,
};

const summary = 'A report, sentence by sentence';

export const argue = {
  name: 'argue',
  title: 'ARGUE',
  measures:
    'What becomes of each sentence of a report, by what it cites and which nuggets it tells: precision of sentences, recall of nuggets, citation support (Mayfield et al. 2024)',
  order: argueOrder,
  answer: argueAnswer,
  examples: { requests: { argue: { summary, value: ORDER } }, answers: { argue: { summary, value: ANSWER } } },
  embedded: { kappa: 0.6, items: 16 },
  text: 'report',
  prefix: 'argue',
  figures: [
    { name: 'precision', title: 'precision', fullTitle: 'ARGUE precision' },
    { name: 'recall', title: 'recall', fullTitle: 'ARGUE recall' },
    { name: 'vitalRecall', title: 'vital recall', fullTitle: 'ARGUE vital recall' },
    { name: 'f1', title: 'F1', fullTitle: 'ARGUE F1' },
    { name: 'citationSupport', title: 'citation support' },
    // Over several reports: their sentences, nuggets and citations as of one.
    micro('precision', 'precision', (_, { sentences }) => sentences.filter(isCounted).length),
    micro('recall', 'recall', ({ nuggets, options }) => weigh(nuggets, options)),
    micro('vitalRecall', 'vital recall', ({ nuggets, options }) => weigh(nuggets.filter(isVital), options)),
    micro('citationSupport', 'citation support', ({ options }, { sentences }) =>
      options?.average === 'macro' ? 0 : sentences.flatMap(supportIn).length,
    ),
  ],
  documents: ({ documents = [] }) =>
    documents.map(({ text }, index) => ({ text, pointer: `/documents/${index}/text` })),
  async resolve({ digest: _, report: given, documents, sources, ...rest }, digest): Promise<ArgueRequest> {
    const ids = documents?.map((document) => document.id);
    checkSources(sources, given, 'report', ids);
    const split = typeof given === 'string' ? splitSentences(given, { documents: ids, sources }, '/report') : undefined;
    const sentences = (split ?? digest?.sentences)?.map(({ text, documents: citations }) => ({ text, citations }));
    return {
      ...rest,
      report: typeof given === 'object' ? given : { sentences: needed(sentences, '/report') },
      documents: documents ?? needed(await digest?.texts(), '/documents'),
    };
  },
  check: checkReport,
  score: scoreReport,
  said({ report, documents }) {
    const known = new Set(documents.map(({ id }) => id));
    return report.sentences.map(({ text }) => stripMarkers(text, known).text);
  },
  requestOf({ sentences, documents, intent, nuggets = [] }) {
    if (nuggets.length === 0) return null;
    return {
      metric: 'argue',
      ...(intent !== undefined && { request: { problem: intent } }),
      report: { sentences: sentences.map(({ text, documents: citations }) => ({ text, citations })) },
      nuggets,
      documents: documents.map(({ id, text }) => ({ id, text })),
    };
  },
} satisfies Metric<ArgueOrder, ArgueRequest, ArgueEvaluation>;

function micro(of: string, title: string, over: (request: ArgueRequest, answer: ArgueEvaluation) => number) {
  return { name: `${of}Micro`, of, title: `${title}, micro`, isDescriptive: true, over } as const;
}

interface ReadSentence extends ReportSentence {
  readonly kind: SentenceKind;
  readonly reported: readonly BoundAnswers[];
}

/**
 * Scores a report (ARGUE, Mayfield et al. 2024, section 4). Each sentence has one of eight outcomes. Precision: share
 * of rewarded sentences among those not left out. Recall: share of nuggets, by weight, that a rewarded sentence
 * reports, citing a document that attests the answer and supports the sentence or, for an absence, without any. Vital
 * recall omits okay nuggets. A blank sentence needs no citation; one with citations is unsupported.
 * @throws InvalidEvaluationError for duplicate ids and weights that are not positive
 */
export async function scoreReport(request: ArgueRequest, judge: Judge): Promise<ArgueAnswer> {
  checkReport(request);
  const read = await readSentences(request, judge);
  const support = await judgeCitations(read, request.documents, judge);
  const scored = read.map((sentence, place) => {
    const { citations, isRepeated } = support[place];
    const supporting = citations.filter(({ supported }) => supported).map(({ document }) => document);
    const isSupported = supporting.length >= (request.options?.citations === 'one' ? 1 : citations.length);
    const attested = sentence.reported.filter(
      ({ documents }) => documents === null || supporting.some((id) => documents.has(id)),
    );
    const absences = sentence.reported.filter(({ nugget }) => (nugget.answers ?? []).length === 0);
    const outcome = outcomeOf(sentence, isSupported, attested.length > 0, absences.length > 0, isRepeated);
    const earned = idsOf(outcome === 3 ? attested : outcome === 8 ? absences : []);
    return { earned, sentence: { text: sentence.text, outcome, nuggets: idsOf(sentence.reported), citations } };
  });
  const sentences = scored.map(({ sentence }) => sentence);
  const nuggets = request.nuggets.map(({ id }) => {
    const places = [...scored.keys()].filter((place) => scored[place].earned.includes(id));
    return { id, reported: places.length > 0, sentences: places };
  });
  const reported = new Set(scored.flatMap(({ earned }) => earned));
  return { metric: 'argue', ...totalsOf(request, sentences, reported), sentences, nuggets };
}

async function readSentences(request: ArgueRequest, judge: Judge): Promise<ReadSentence[]> {
  const known = new Set(request.documents.map(({ id }) => id));
  const read = request.report.sentences.map(({ text, citations }) => ({
    text: stripMarkers(text, known).text.trim(),
    citations,
  }));
  const bare = read.filter(({ text, citations }) => citations.length === 0 && text !== '');
  const kinds = bare.length === 0 ? [] : await judge.kinds(textsOf(bare), request.request ?? {});
  const kindOf = new Map(bare.map((sentence, index) => [sentence, kinds[index]]));

  const meaningful = read.filter((sentence) => sentence.text !== '' && kindOf.get(sentence) !== 'neither');
  const bound = request.nuggets.flatMap(boundAnswers);
  const nuggets = bound.map(({ nugget }) => nugget);
  const isAsked = meaningful.length > 0 && nuggets.length > 0;
  const reported = isAsked ? await judge.reported(textsOf(meaningful), nuggets) : [];
  const reportedBy = new Map(meaningful.map((sentence, index) => [sentence, reported[index]]));
  return read.map((sentence) => ({
    ...sentence,
    kind: kindOf.get(sentence) ?? 'neither',
    reported: bound.filter((_, nugget) => reportedBy.get(sentence)?.includes(nugget)),
  }));
}

/**
 * A document that a reported answer lists supports the sentence without a judgement, since an assessor linked it.
 * Missing or blank documents support nothing.
 */
async function judgeCitations(sentences: readonly ReadSentence[], documents: ArgueRequest['documents'], judge: Judge) {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const tasks = new Map<string, EntailmentTask>();
  const ask = (key: string, claim: string, asked: string) => {
    if (claim !== '' && asked.trim() !== '') tasks.set(key, { claim, texts: [asked] });
    return key;
  };
  const keys = sentences.map(({ text, citations, kind }, place) => ({
    repeated: kind === 'claim' ? ask(`${place}`, text, textElsewhere(sentences, place)) : '',
    cited: citations.map((document) =>
      isLinked(place, document) ? '' : ask(JSON.stringify([document, text]), text, texts.get(document) ?? ''),
    ),
  }));
  const verdicts = tasks.size === 0 ? [] : await judge.entailment([...tasks.values()]);
  const verdictOf = new Map([...tasks.keys()].map((key, place) => [key, verdicts[place]]));
  return sentences.map(({ citations }, place) => ({
    /** Whether an earlier sentence, or one with citations, states a claim without citations. */
    isRepeated: verdictOf.get(keys[place].repeated)?.holds ?? false,
    citations: citations.map((document, index) => {
      const verdict = verdictOf.get(keys[place].cited[index]);
      const supported = isLinked(place, document) || (verdict?.holds ?? false);
      return { document, supported, evidence: verdict?.evidence ?? null };
    }),
  }));

  function isLinked(place: number, document: string): boolean {
    return texts.has(document) && sentences[place].reported.some(({ documents: linked }) => linked?.has(document));
  }
}

const textsOf = (sentences: readonly { readonly text: string }[]) => sentences.map(({ text }) => text);

function textElsewhere(sentences: readonly ReadSentence[], place: number): string {
  const others = sentences.filter(({ citations }, other) => other < place || (other > place && citations.length > 0));
  return [...new Set(textsOf(others))].join('\n');
}

interface BoundAnswers {
  readonly nugget: shape.Nugget;
  /** Ids; null if these answers list none, so that any supporting document attests them. */
  readonly documents: ReadonlySet<string> | null;
}

/**
 * Splits a nugget by the documents that attest its answers (Mayfield et al. 2024, section 4: an answer counts if a
 * linked document is cited; that one of several is enough is our reading). A nugget without answers stays whole: no
 * document attests an absence.
 */
function boundAnswers(nugget: shape.Nugget): BoundAnswers[] {
  const { answers = [] } = nugget;
  if (answers.length === 0) return [{ nugget, documents: null }];
  const groups = groupBy(answers, ({ documents }) => JSON.stringify([...new Set(documents)].sort()));
  return [...groups.values()].map((group) => {
    const documents = new Set(group[0].documents);
    return { nugget: { ...nugget, answers: group }, documents: documents.size === 0 ? null : documents };
  });
}

function idsOf(answers: readonly BoundAnswers[]): string[] {
  return [...new Set(answers.map(({ nugget }) => nugget.id))];
}

/** Its own weight or, as in TREC 2024 RAG and Auto-ARGUE, 1 if vital and half if okay. */
function weightOf({ weight, importance }: shape.Nugget): number {
  return weight ?? (importance === 'okay' ? 0.5 : 1);
}

function weigh(nuggets: readonly shape.Nugget[], { weights }: ArgueRequest['options'] = {}): number {
  return sum(nuggets.map((each) => (weights === false ? 1 : weightOf(each))));
}

const isVital = ({ importance }: shape.Nugget) => importance !== 'okay';
const isCounted = ({ outcome }: ArgueEvaluation['sentences'][number]) => ![2, 4, 6].includes(outcome);

function checkReport({ documents, nuggets }: ArgueRequest): void {
  const [documentIds, nuggetIds] = [documents, nuggets].map((all) => all.map(({ id }) => id));
  checkEach(documentIds, '/documents/*/id', isRepeated(documentIds));
  checkEach(nuggetIds, '/nuggets/*/id', isRepeated(nuggetIds));
  let total = 0;
  checkEach(nuggets.map(weightOf), '/nuggets/*/weight', (weight) => {
    total += weight;
    if (!(weight > 0)) return 'is not a positive number';
    return Number.isFinite(total) ? null : 'is too large to be added';
  });
}

/**
 * The outcome of a sentence (Mayfield et al. 2024, section 4). Citations come first: a cited absence is judged by its
 * documents. An answer cited to documents that do not attest it is no answer (2). 5 and 6 differ by whether the rest of
 * the report states the claim; the paper's example calls a sentence redundant that only later ones state. That later
 * ones must cite, so that two bare claims cannot excuse each other, is our reading.
 */
function outcomeOf(
  { citations, kind }: ReadSentence,
  isSupported: boolean,
  reports: boolean,
  reportsAbsence: boolean,
  isRepeated: boolean,
): SentenceOutcome {
  if (citations.length > 0) return !isSupported ? 1 : reports ? 3 : 2;
  if (kind === 'absence') return reportsAbsence ? 8 : 7;
  if (kind === 'neither') return 4;
  return isRepeated ? 6 : 5;
}

function totalsOf(
  { nuggets, options = {} }: ArgueRequest,
  sentences: ArgueEvaluation['sentences'],
  reported: ReadonlySet<string>,
) {
  const recallOf = (wanted: readonly shape.Nugget[]) => {
    const told = wanted.filter(({ id }) => reported.has(id));
    return wanted.length === 0 ? null : 100 * (weigh(told, options) / weigh(wanted, options));
  };
  const counted = sentences.filter(isCounted);
  const precision = share(counted.map(({ outcome }) => outcome === 3 || outcome === 8));
  const recall = recallOf(nuggets);
  const supports = sentences.map(supportIn);
  return {
    precision,
    recall,
    vitalRecall: recallOf(nuggets.filter(isVital)),
    // An empty report must not escape the mean.
    f1: recall === 0 ? 0 : harmonicMean(precision, recall),
    citationSupport:
      options.average === 'macro' ? mean(supports.map(share).filter((each) => each !== null)) : share(supports.flat()),
  };
}

/** Whether each cited document supports a sentence; one cited twice counts once. */
function supportIn({ citations }: ArgueEvaluation['sentences'][number]): boolean[] {
  return [...new Map(citations.map(({ document, supported }) => [document, supported])).values()];
}
