import type { ArgueAnswer, ArgueSentenceAnswer } from '../../contract/evaluation-answer.ts';
import { harmonicMean } from '../harmonic-mean.ts';
import type { Judge, SentenceKind } from '../judge.ts';
import { sum } from '../mean.ts';
import type { ArgueRequest, Nugget, ReportSentence } from '../../contract/evaluation-request.ts';
import { share } from '../share.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';
import { type BoundAnswers, boundAnswers } from './bound-answers.ts';
import { checkReport, weightOf } from './check-report.ts';
import { citationSupport } from './citation-support.ts';
import { judgeCitations, type ReadSentence } from './judge-citations.ts';
import { isLeftOut, isRewarded, outcomeOf } from './outcome.ts';

/** A sentence with what has been judged of it alone. */
interface JudgedSentence extends ReadSentence {
  readonly kind: SentenceKind;
}

/**
 * Scores a report (ARGUE, Mayfield et al. 2024, section 4). Every sentence has one of eight outcomes; precision is the
 * share of rewarded sentences among those not left out, recall the share of nuggets, by weight, that a rewarded sentence
 * reports: citing a document that attests the answer and supports the sentence, or, where the nugget states an absence,
 * by saying so without any; recall of vital nuggets is the same over those that are not okay ones. A blank sentence without citations needs none; one with citations is supported by nothing.
 *
 * @throws InvalidEvaluationError for ids that come twice and weights that are not positive
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
  const recallOf = (wanted: readonly Nugget[]) => {
    const weigh = (all: readonly Nugget[]) => sum(all.map((nugget) => (weights ? weightOf(nugget) : 1)));
    const reached = wanted.filter(({ id }) => scored.some(({ earned }) => earned.includes(id)));
    return wanted.length === 0 ? null : 100 * (weigh(reached) / weigh(wanted));
  };
  const outcomes = sentences.map(({ outcome }) => outcome);
  const precision = share(outcomes.filter((outcome) => !isLeftOut(outcome)).map(isRewarded));
  const recall = recallOf(request.nuggets);
  return {
    precision,
    recall,
    vitalRecall: recallOf(request.nuggets.filter(({ importance }) => importance !== 'okay')),
    // Who reports nothing does not stay out of the mean for having nothing wrong.
    f1: recall === 0 ? 0 : harmonicMean(precision, recall),
    citationSupport: citationSupport(sentences, average),
    sentences,
    nuggets,
  };
}

/** A sentence with the ids of the nuggets that it earns. */
interface ScoredSentence {
  readonly answer: ArgueSentenceAnswer;
  readonly earned: readonly string[];
}

/** Asks what kind the sentences without citations are, and which nuggets those report that may be rewarded for it. */
async function judgeSentences(request: ArgueRequest, judge: Judge): Promise<JudgedSentence[]> {
  const known = new Set(request.documents.map(({ id }) => id));
  const texts = request.report.sentences.map(({ text }) => stripMarkers(text, known).text.trim());
  const isBare = ({ citations }: ReportSentence, place: number) => citations.length === 0 && texts[place] !== '';
  const bare = placesWhere(request.report.sentences, isBare);
  const kinds = bare.length === 0 ? [] : await judge.kinds(textsAt(texts, bare), request.request ?? {});
  const kindOf = new Map(bare.map((place, index) => [place, kinds[index]]));

  const telling = placesWhere(texts, (text, place) => text !== '' && kindOf.get(place) !== 'neither');
  const wanted = request.nuggets.flatMap(boundAnswers);
  const nuggets = wanted.map(({ nugget }) => nugget);
  const canAsk = telling.length > 0 && nuggets.length > 0;
  const reported = canAsk ? await judge.reported(textsAt(texts, telling), nuggets) : [];
  const reportedBy = new Map(telling.map((place, index) => [place, new Set(reported[index])]));

  return request.report.sentences.map(({ citations }, place) => {
    const kind = kindOf.get(place) ?? 'neither';
    return {
      text: texts[place] ?? '',
      citations,
      reported: wanted.filter((_, nugget) => reportedBy.get(place)?.has(nugget)),
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
