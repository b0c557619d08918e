import { citationMarkers } from '../../text/index.ts';
import { badge, cell, type Explanation, rowHead, type Tone, wideCell, yesOrNo } from '../explanation.ts';
import { splitSentences, stripMarkers } from '../marked-text.ts';
import { checkSources, type Metric, needed } from '../metric.ts';
import { checkReport, isLeftOut, isRewarded, poolReports, scoreReport } from './argue-scores.ts';
import {
  ARGUE_EXAMPLES,
  type ArgueEvaluation,
  type ArgueOrder,
  type ArgueRequest,
  argueAnswer,
  argueOrder,
  type SentenceOutcome,
} from './argue-shapes.ts';

export const argue = {
  name: 'argue',
  title: 'ARGUE',
  measures:
    'What becomes of each sentence of a report, by what it cites and which nuggets it tells: precision of sentences, recall of nuggets, citation support (Mayfield et al. 2024)',
  order: argueOrder,
  answer: argueAnswer,
  examples: ARGUE_EXAMPLES,
  text: 'report',
  prefix: 'argue',
  figures: [
    { name: 'precision', title: 'precision', fullTitle: 'ARGUE precision' },
    { name: 'recall', title: 'recall', fullTitle: 'ARGUE recall' },
    { name: 'vitalRecall', title: 'vital recall', fullTitle: 'ARGUE vital recall' },
    { name: 'f1', title: 'F1', fullTitle: 'ARGUE F1' },
    { name: 'citationSupport', title: 'citation support' },
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
  score: async (request, judge) => ({ metric: 'argue', ...(await scoreReport(request, judge)) }),
  pool: (scored: readonly { readonly request: ArgueRequest; readonly answer: ArgueEvaluation }[]) =>
    poolReports(scored),
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
  explain,
} satisfies Metric<ArgueOrder, ArgueRequest, ArgueEvaluation>;

const OUTCOMES: Readonly<Record<SentenceOutcome, string>> = {
  1: 'a cited document does not support it',
  2: 'supported, of no nugget whose answer its documents attest',
  3: 'supported, reports a nugget',
  4: 'needs no citation',
  5: 'needs a citation, and no earlier or cited sentence states it',
  6: 'needs a citation, but an earlier or a cited sentence states it',
  7: 'states an absence that no nugget states',
  8: 'states an absence that a nugget states',
};

function explain(request: ArgueRequest, { sentences, nuggets }: ArgueEvaluation): Explanation {
  return [
    {
      caption: 'Sentences',
      heads: ['No.', 'Sentence', 'Outcome', 'Nuggets', 'Citations'],
      rows: sentences.map(({ outcome, nuggets: reported, citations }, index) => [
        cell(String(index + 1)),
        rowHead(request.report.sentences[index].text),
        cell(effectOf(outcome), { note: `${outcome}: ${OUTCOMES[outcome]}` }),
        cell(reported.length === 0 ? '–' : reported.join(', ')),
        wideCell(...(citations.length === 0 ? ['–'] : citations.map(citationLine))),
      ]),
    },
    {
      caption: 'Nuggets',
      heads: ['Question', 'Wanted', 'Reported', 'By sentences'],
      rows: nuggets.map(({ id, reported, sentences: places }, index) => {
        const { question, importance = 'vital', answers = [] } = request.nuggets[index];
        return [
          rowHead(question, { muted: `${id}, ${importance}` }),
          wideCell(answers.length === 0 ? 'that nothing is known' : answers.map(({ text }) => text).join(' / ')),
          cell(yesOrNo(reported)),
          cell(places.length === 0 ? '–' : places.map((place) => place + 1).join(', ')),
        ];
      }),
    },
  ];
}

function citationLine({ document, supported, evidence }: ArgueEvaluation['sentences'][number]['citations'][number]) {
  const verdict = badge(
    `${citationMarkers([document])} ${supported ? 'supports it' : 'does not support it'}`,
    supported ? 'good' : 'bad',
  );
  return { line: evidence === null ? [verdict] : [verdict, { quote: evidence }] };
}

function effectOf(outcome: SentenceOutcome) {
  const [effect, tone]: [string, Tone] = isRewarded(outcome)
    ? ['rewarded', 'good']
    : isLeftOut(outcome)
      ? ['left out', '']
      : ['penalised', 'bad'];
  return badge(effect, tone);
}
