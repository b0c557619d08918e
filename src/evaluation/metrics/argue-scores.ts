import { checkUnique, InvalidEvaluationError } from '../errors.ts';
import type { EntailmentTask, Judge, SentenceKind } from '../judge.ts';
import { stripMarkers } from '../marked-text.ts';
import { harmonicMean, mean, share, sum } from '../metric.ts';
import type { Nugget } from '../shapes.ts';
import type {
  ArgueAnswer,
  ArgueRequest,
  ArgueSentenceAnswer,
  ReportSentence,
  SentenceOutcome,
} from './argue-shapes.ts';

interface JudgedSentence extends ReadSentence {
  readonly kind: SentenceKind;
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
  const { average = 'micro', citations: required = 'all', weights = true } = request.options ?? {};
  const read = await judgeSentences(request, judge);
  const support = await judgeCitations(read, request.documents, judge);

  const scored = read.map(({ text, citations, reported, kind }, place): ScoredSentence => {
    const { citations: judged, isRepeated } = support[place] ?? { citations: [], isRepeated: false };
    const supporting = new Set(judged.filter(isSupported).map(({ document }) => document));
    const attested = reported.filter(
      ({ documents }) => documents === null || [...supporting].some((id) => documents.has(id)),
    );
    const outcome = outcomeOf({
      cites: citations.length > 0,
      isSupported: required === 'all' ? judged.every(isSupported) : judged.some(isSupported),
      reports: attested.length > 0,
      reportsAbsence: reported.some(statesAbsence),
      kind,
      isRepeated,
    });
    return {
      answer: { text, outcome, nuggets: idsOf(reported), citations: judged },
      earned: outcome === 3 ? idsOf(attested) : outcome === 8 ? idsOf(reported.filter(statesAbsence)) : [],
    };
  });
  const sentences = scored.map(({ answer }) => answer);
  const nuggets = request.nuggets.map(({ id }) => {
    const places = [...scored.keys()].filter((place) => scored[place].earned.includes(id));
    return { id, reported: places.length > 0, sentences: places };
  });
  const recallOf = (counted: readonly Nugget[]) => {
    const weigh = (all: readonly Nugget[]) => sum(all.map((nugget) => (weights ? weightOf(nugget) : 1)));
    const reached = counted.filter(({ id }) => scored.some(({ earned }) => earned.includes(id)));
    return counted.length === 0 ? null : 100 * (weigh(reached) / weigh(counted));
  };
  const outcomes = sentences.map(({ outcome }) => outcome);
  const precision = share(outcomes.filter((outcome) => !isLeftOut(outcome)).map(isRewarded));
  const recall = recallOf(request.nuggets);
  return {
    precision,
    recall,
    vitalRecall: recallOf(request.nuggets.filter(({ importance }) => importance !== 'okay')),
    // An empty report must not escape the mean.
    f1: recall === 0 ? 0 : harmonicMean(precision, recall),
    citationSupport: citationSupport(sentences, average),
    sentences,
    nuggets,
  };
}

interface ScoredSentence {
  readonly answer: ArgueSentenceAnswer;
  readonly earned: readonly string[];
}

async function judgeSentences(request: ArgueRequest, judge: Judge): Promise<JudgedSentence[]> {
  const known = new Set(request.documents.map(({ id }) => id));
  const texts = request.report.sentences.map(({ text }) => stripMarkers(text, known).text.trim());
  const isBare = ({ citations }: ReportSentence, place: number) => citations.length === 0 && texts[place] !== '';
  const bare = placesWhere(request.report.sentences, isBare);
  const kinds = bare.length === 0 ? [] : await judge.kinds(textsAt(texts, bare), request.request ?? {});
  const kindOf = new Map(bare.map((place, index) => [place, kinds[index]]));

  const meaningful = placesWhere(texts, (text, place) => text !== '' && kindOf.get(place) !== 'neither');
  const bound = request.nuggets.flatMap(boundAnswers);
  const nuggets = bound.map(({ nugget }) => nugget);
  const canAsk = meaningful.length > 0 && nuggets.length > 0;
  const reported = canAsk ? await judge.reported(textsAt(texts, meaningful), nuggets) : [];
  const reportedBy = new Map(meaningful.map((place, index) => [place, new Set(reported[index])]));

  return request.report.sentences.map(({ citations }, place) => {
    const kind = kindOf.get(place) ?? 'neither';
    return {
      text: texts[place] ?? '',
      citations,
      reported: bound.filter((_, nugget) => reportedBy.get(place)?.has(nugget)),
      isBare: kind === 'claim',
      kind,
    };
  });
}

function placesWhere<Item>(items: readonly Item[], holds: (item: Item, place: number) => boolean): number[] {
  return items.flatMap((item, place) => (holds(item, place) ? [place] : []));
}

function textsAt(texts: readonly string[], places: readonly number[]): string[] {
  return places.map((place) => texts[place] ?? '');
}

function isSupported({ supported }: { readonly supported: boolean }): boolean {
  return supported;
}

function statesAbsence({ nugget: { answers = [] } }: BoundAnswers): boolean {
  return answers.length === 0;
}

function idsOf(answers: readonly BoundAnswers[]): string[] {
  return [...new Set(answers.map(({ nugget }) => nugget.id))];
}

/**
 * Share of a report's citations that support their sentences. Duplicate citations in a sentence count once.
 * @param average over all citations (`micro`), or first within each sentence that cites (`macro`)
 * @returns 0 to 100; null without citations
 */
function citationSupport(
  sentences: readonly Pick<ArgueSentenceAnswer, 'citations'>[],
  average: 'micro' | 'macro',
): number | null {
  const bySentence = sentences.map(({ citations }) => [
    ...new Map(citations.map(({ document, supported }) => [document, supported])).values(),
  ]);
  if (average === 'micro') return share(bySentence.flat());
  return mean(bySentence.map(share).filter((each) => each !== null));
}

interface ReadSentence {
  readonly text: string;
  readonly citations: readonly string[];
  readonly reported: readonly BoundAnswers[];
  /** Whether it is a claim without citations, which another sentence may state. */
  readonly isBare: boolean;
}

interface SentenceSupport {
  readonly citations: ArgueSentenceAnswer['citations'];
  /** Whether an earlier sentence, or one with citations, states it; false if it is not bare. */
  readonly isRepeated: boolean;
}

/**
 * Judges in one call whether cited documents support their sentences and whether bare claims are repetitions.
 *
 * A document that a reported answer lists supports the sentence without a judgement, since an assessor linked it.
 * Missing or blank documents support nothing.
 */
async function judgeCitations(
  sentences: readonly ReadSentence[],
  documents: ArgueRequest['documents'],
  judge: Judge,
): Promise<SentenceSupport[]> {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const tasks = new Map<string, EntailmentTask>();
  const ask = (key: string, claim: string, asked: readonly string[]) => {
    const nonEmpty = asked.filter((text) => text.trim() !== '');
    if (claim !== '' && nonEmpty.length > 0) tasks.set(key, { claim, texts: nonEmpty });
    return key;
  };
  const questions = sentences.map(({ text, citations, reported, isBare }, place) => ({
    repeated: isBare ? ask(`${place}`, text, textsElsewhere(sentences, place)) : null,
    citations: citations.map((document) => {
      const isLinked = texts.has(document) && reported.some(({ documents: linked }) => linked?.has(document));
      const key = isLinked ? null : ask(JSON.stringify([document, text]), text, [texts.get(document) ?? '']);
      return { document, isLinked, key };
    }),
  }));
  const verdicts = tasks.size === 0 ? [] : await judge.entailment([...tasks.values()]);
  const byKey = new Map([...tasks.keys()].map((key, place) => [key, verdicts[place]]));
  const verdictOf = (key: string | null) => (key === null ? undefined : byKey.get(key));
  return questions.map(({ repeated, citations }) => ({
    isRepeated: verdictOf(repeated)?.holds ?? false,
    citations: citations.map(({ document, isLinked, key }) => {
      const verdict = verdictOf(key);
      return { document, supported: isLinked || (verdict?.holds ?? false), evidence: verdict?.evidence ?? null };
    }),
  }));
}

function textsElsewhere(sentences: readonly ReadSentence[], place: number): string[] {
  const others = sentences.filter(({ citations }, other) => other < place || (other > place && citations.length > 0));
  return [[...new Set(others.map(({ text }) => text))].join('\n')];
}

interface BoundAnswers {
  readonly nugget: Nugget;
  /** Ids; null if these answers list none, so that any supporting document attests them. */
  readonly documents: ReadonlySet<string> | null;
}

/**
 * Splits a nugget by the documents that attest its answers (Mayfield et al. 2024, section 4: an answer counts if a
 * linked document is cited; that one of several is enough is our reading). A nugget without answers stays whole: no
 * document attests an absence.
 */
function boundAnswers(nugget: Nugget): BoundAnswers[] {
  const { answers = [] } = nugget;
  if (answers.length === 0) return [{ nugget, documents: null }];
  const groups = new Map<string, { answers: (typeof answers)[number][]; documents: ReadonlySet<string> | null }>();
  for (const answer of answers) {
    const ids = [...new Set(answer.documents)].sort();
    const key = JSON.stringify(ids);
    const group = groups.get(key) ?? { answers: [], documents: ids.length === 0 ? null : new Set(ids) };
    group.answers.push(answer);
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => ({
    nugget: { ...nugget, answers: group.answers },
    documents: group.documents,
  }));
}

/** Its own weight or, as in TREC 2024 RAG and Auto-ARGUE, 1 if vital and half if okay. */
function weightOf({ weight, importance }: Nugget): number {
  return weight ?? (importance === 'okay' ? 0.5 : 1);
}

/**
 * Rejects duplicate ids, and weights that are not positive with a finite sum.
 * @throws InvalidEvaluationError
 */
export function checkReport({ documents, nuggets }: ArgueRequest): void {
  checkUnique(
    documents.map(({ id }) => id),
    (place) => `/documents/${place}/id`,
  );
  checkUnique(
    nuggets.map(({ id }) => id),
    (place) => `/nuggets/${place}/id`,
  );
  checkWeights(nuggets);
}

function checkWeights(nuggets: readonly Nugget[]): void {
  let total = 0;
  for (const [place, nugget] of nuggets.entries()) {
    const weight = weightOf(nugget);
    total += weight;
    if (!(weight > 0)) throw new InvalidEvaluationError(`/nuggets/${place}/weight`, 'is not a positive number');
    if (!Number.isFinite(total))
      throw new InvalidEvaluationError(`/nuggets/${place}/weight`, 'is too large to be added');
  }
}

interface SentenceFacts {
  readonly cites: boolean;
  readonly isSupported: boolean;
  readonly reports: boolean;
  readonly reportsAbsence: boolean;
  readonly kind: SentenceKind;
  readonly isRepeated: boolean;
}

/**
 * The outcome of a sentence (Mayfield et al. 2024, section 4). Citations come first: a cited absence is judged by its
 * documents. An answer cited to documents that do not attest it is no answer (2). 5 and 6 differ by whether the rest of
 * the report states the claim; the paper's example calls a sentence redundant that only later ones state. That later
 * ones must cite, so that two bare claims cannot excuse each other, is our reading.
 */
export function outcomeOf(facts: SentenceFacts): SentenceOutcome {
  if (facts.cites && !facts.isSupported) return 1;
  if (facts.cites) return facts.reports ? 3 : 2;
  if (facts.kind === 'absence') return facts.reportsAbsence ? 8 : 7;
  if (facts.kind === 'neither') return 4;
  return facts.isRepeated ? 6 : 5;
}

function isRewarded(outcome: SentenceOutcome): boolean {
  return outcome === 3 || outcome === 8;
}

function isLeftOut(outcome: SentenceOutcome): boolean {
  return outcome === 2 || outcome === 4 || outcome === 6;
}

interface Parts {
  readonly part: number;
  readonly of: number;
}

const SHARES = ['precision', 'recall', 'vitalRecall', 'citationSupport'] as const;

interface ScoredReport {
  readonly request: ArgueRequest;
  readonly answer: Pick<ArgueAnswer, 'sentences' | 'nuggets'>;
}

/**
 * Micro averages over the sentences, nuggets and citations of all reports. F1 is that of the averaged precision and
 * recall.
 * @returns the figures, 0 to 100, with each report counted by its weight; null if there is nothing to count
 */
export function poolReports(
  reports: readonly ScoredReport[],
): (weights: ArrayLike<number>) => Readonly<Record<string, number | null>> {
  const parts = reports.map(partsOf);
  return (weights) => {
    const pooled = SHARES.map((name) => {
      const [part, of] = (['part', 'of'] as const).map((which) =>
        parts.reduce((total, each, place) => total + weights[place] * each[name][which], 0),
      );
      return [name, of === 0 ? null : (100 * part) / of] as const;
    });
    const { precision = null, recall = null, ...rest } = Object.fromEntries(pooled);
    // As for one report: without recall, precision does not count.
    return { precision, recall, ...rest, f1: recall === 0 ? 0 : harmonicMean(precision, recall) };
  };
}

function partsOf({
  request,
  answer: { sentences, nuggets },
}: ScoredReport): Readonly<Record<(typeof SHARES)[number], Parts>> {
  const reported = new Set(nuggets.filter((nugget) => nugget.reported).map(({ id }) => id));
  const counted = sentences.filter(({ outcome }) => !isLeftOut(outcome));
  const weights = request.options?.weights ?? true;
  const recallOf = (wanted: ArgueRequest['nuggets']): Parts => {
    const total = (some: ArgueRequest['nuggets']) =>
      some.reduce((sum, nugget) => sum + (weights ? weightOf(nugget) : 1), 0);
    return { part: total(wanted.filter(({ id }) => reported.has(id))), of: total(wanted) };
  };
  const citations = sentences.flatMap(({ citations: own }) => [
    ...new Map(own.map(({ document, supported }) => [document, supported])).values(),
  ]);
  return {
    precision: { part: counted.filter(({ outcome }) => isRewarded(outcome)).length, of: counted.length },
    recall: recallOf(request.nuggets),
    vitalRecall: recallOf(request.nuggets.filter(({ importance }) => importance !== 'okay')),
    citationSupport: { part: citations.filter(Boolean).length, of: citations.length },
  };
}
