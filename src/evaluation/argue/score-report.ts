import type { ArgueAnswer, ArgueSentenceAnswer } from '../answer.ts';
import { harmonicMean } from '../harmonic-mean.ts';
import type { Judge, SentenceKind } from '../judge.ts';
import { sum } from '../mean.ts';
import type { ArgueRequest, Nugget, ReportSentence } from '../request.ts';
import { share } from '../share.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';
import { checkReport, DEFAULT_WEIGHT } from './check-report.ts';
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
 * reports: with supporting citations, or, where the nugget states an absence, by saying so without any. A blank sentence
 * without citations needs none; one with citations is supported by nothing.
 *
 * @throws InvalidEvaluationError for ids that come twice and weights that are not positive
 */
export async function scoreReport(request: ArgueRequest, judge: Judge): Promise<ArgueAnswer> {
  checkReport(request);
  const { average = 'micro', citations: required = 'all', weights = true } = request.options ?? {};
  const read = await judgeSentences(request, judge);
  const support = await judgeCitations(read, request.documents, judge);

  const sentences = read.map(({ citations, reported, kind }, place): ArgueSentenceAnswer => {
    const { citations: judged, isRepeated } = support[place] ?? { citations: [], isRepeated: false };
    const outcome = outcomeOf({
      cites: citations.length > 0,
      isSupported: required === 'all' ? judged.every(isSupported) : judged.some(isSupported),
      reports: reported.length > 0,
      reportsAbsence: reported.some(statesAbsence),
      kind,
      isRepeated,
    });
    return { outcome, nuggets: reported.map(({ id }) => id), citations: judged };
  });
  const nuggets = request.nuggets.map((nugget) => {
    const places = [...sentences.keys()].filter((place) => counts(nugget, sentences[place]));
    return { id: nugget.id, reported: places.length > 0, sentences: places };
  });
  const weightOf = ({ weight = DEFAULT_WEIGHT }: Nugget) => (weights ? weight : 1);
  const reached = request.nuggets.filter((_, place) => nuggets[place]?.reported);
  const outcomes = sentences.map(({ outcome }) => outcome);
  const precision = share(outcomes.filter((outcome) => !isLeftOut(outcome)).map(isRewarded));
  const recall = nuggets.length === 0 ? null : 100 * (sum(reached.map(weightOf)) / sum(request.nuggets.map(weightOf)));
  return {
    precision,
    recall,
    // Who reports nothing does not stay out of the mean for having nothing wrong.
    f1: recall === 0 ? 0 : harmonicMean(precision, recall),
    citationSupport: citationSupport(sentences, average),
    sentences,
    nuggets,
  };
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
  const canAsk = telling.length > 0 && request.nuggets.length > 0;
  const reported = canAsk ? await judge.reported(textsAt(texts, telling), request.nuggets) : [];
  const reportedBy = new Map(telling.map((place, index) => [place, new Set(reported[index])]));

  return request.report.sentences.map(({ citations }, place) => {
    const kind = kindOf.get(place) ?? 'neither';
    return {
      text: texts[place] ?? '',
      citations,
      reported: request.nuggets.filter((_, nugget) => reportedBy.get(place)?.has(nugget)),
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

function statesAbsence({ answers = [] }: Nugget): boolean {
  return answers.length === 0;
}

/** Whether a sentence earns a nugget that it reports: by its citations any nugget, as a bare absence one that states it. */
function counts(nugget: Nugget, sentence: ArgueSentenceAnswer | undefined): boolean {
  if (!sentence?.nuggets.includes(nugget.id)) return false;
  return sentence.outcome === 3 || (sentence.outcome === 8 && statesAbsence(nugget));
}
