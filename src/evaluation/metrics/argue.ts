import { splitSentences, stripMarkers } from '../marked-text.ts';
import { checkSources, type Metric, needed } from '../metric.ts';
import { checkReport, poolReports, scoreReport } from './argue-scores.ts';
import {
  ARGUE_EXAMPLES,
  type ArgueEvaluation,
  type ArgueOrder,
  type ArgueRequest,
  argueAnswer,
  argueOrder,
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
} satisfies Metric<ArgueOrder, ArgueRequest, ArgueEvaluation>;
