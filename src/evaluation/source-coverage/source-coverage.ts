import { needed } from '../evaluated-digest.ts';
import { badge, cell, type Explanation, number, rowHead, wideCell, yesOrNo } from '../explanation.ts';
import { type Metric, textOf } from '../metric.ts';
import { stripMarkers } from '../summhay/strip-markers.ts';
import { checkSources } from './check-sources.ts';
import { scoreSources } from './score-sources.ts';
import {
  SOURCE_COVERAGE_EXAMPLES,
  type SourceCoverageEvaluation,
  type SourceCoverageOrder,
  type SourceCoverageRequest,
  sourceCoverageAnswer,
  sourceCoverageOrder,
} from './shapes.ts';

export const sourceCoverage = {
  name: 'source-coverage',
  title: 'Source coverage',
  measures:
    'The share of questions, each made from one document, that a summary answers as that document does, of all and by the place of the document (Huang et al. 2024; Padmakumar et al. 2025)',
  order: sourceCoverageOrder,
  answer: sourceCoverageAnswer,
  examples: SOURCE_COVERAGE_EXAMPLES,
  text: 'summary',
  prefix: 'sources',
  figures: [
    { name: 'coverage', title: 'coverage', fullTitle: 'source coverage' },
    { name: 'relevantCoverage', title: 'relevant coverage', fullTitle: 'relevant source coverage' },
  ],
  async resolve({ digest: _, summary, documents, ...rest }, digest): Promise<SourceCoverageRequest> {
    return {
      ...rest,
      summary: summary ?? needed(digest && textOf(digest), '/summary'),
      documents: documents ?? needed(digest?.documents, '/documents'),
    };
  },
  check: checkSources,
  score: async (request, judge) => ({ metric: 'source-coverage', ...(await scoreSources(request, judge)) }),
  said: ({ summary, documents }) => [stripMarkers(summary, new Set(documents)).text],
  requestOf({ questions = [], documents, given, intent, ...known }) {
    if (questions.length === 0) return null;
    const others = documents.map(({ id }) => id).filter((id) => !given.includes(id));
    // Where it is known what is relevant, no judge is asked.
    const isMarked = questions.some(({ relevant }) => relevant !== undefined);
    return {
      metric: 'source-coverage',
      summary: textOf(known),
      // What the system was not given comes last: it has no place in its input.
      documents: [...given, ...others],
      questions: questions.map(({ question, answer, document }) => ({ question, answer, document })),
      ...(!isMarked && intent !== undefined && { intent }),
    };
  },
  explain,
} satisfies Metric<SourceCoverageOrder, SourceCoverageRequest, SourceCoverageEvaluation>;

/** The questions that a summary answers or not, and the coverage of each document by its place. */
function explain(request: SourceCoverageRequest, { questions, documents }: SourceCoverageEvaluation): Explanation {
  const hasIntent = questions.some(({ relevant }) => relevant !== null);
  const places = new Map(documents.map(({ id, position }) => [id, position + 1]));
  const rows = questions.map(({ answerable, matches, relevant, covered, evidence }, index) => {
    const { question, answer, document } = request.questions[index];
    return [
      rowHead(question, { note: answer }),
      cell(document, { note: `place ${places.get(document)}` }),
      cell(covered ? badge('covered', 'good') : badge(whyMissed(answerable, matches), 'bad')),
      ...(hasIntent ? [cell(relevant === null ? '–' : yesOrNo(relevant))] : []),
      wideCell({ quote: evidence }),
    ];
  });
  const heads = ['Question and answer', 'Document', 'Covered', ...(hasIntent ? ['Relevant'] : [])];
  return [
    { heading: 'Summary', text: request.summary },
    { caption: 'Questions', heads: [...heads, 'Evidence in the summary'], rows },
    {
      caption: 'Documents by place',
      heads: ['Place', 'Document', 'Coverage', ''],
      rows: documents.map(({ id, position, coverage }) => [
        cell(String(position + 1)),
        { parts: [id], isHead: true },
        cell(number(coverage)),
        cell({ bar: coverage ?? 0 }),
      ]),
      isCurve: true,
    },
  ];
}

function whyMissed(answerable: boolean, matches: boolean): string {
  if (!answerable) return 'not answered';
  return matches ? 'missed' : 'answered otherwise';
}
