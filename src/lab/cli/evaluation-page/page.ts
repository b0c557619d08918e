import type { JudgeRecord, SentenceOutcome } from '../../../contract/index.ts';
import { isLeftOut, isRewarded } from '../../../evaluation/index.ts';
import { type Content, type Html, html, htmlPage } from '../../../server/index.ts';
import type { Estimate } from '../../bulk/estimate.ts';
import type { EstimatedBin } from '../../bulk/estimated-curve.ts';
import { FIGURES, figuresOf } from '../../bulk/figures.ts';
import { inCanonicalOrder, type ScoredRecord } from '../../bulk/record.ts';
import type { MetricReport } from '../../bulk/report.ts';
import type { Scoring } from '../../bulk/score-records.ts';
import { describeFailure } from '../describe-failure.ts';
import { DIMENSION_TITLES, METRIC_TITLES, systemTitle } from '../print-evaluation.ts';
import { printJudge } from '../print-judge.ts';
import { STYLE } from './style.ts';
import { summHayView } from './summhay-view.ts';
import type { Thresholds } from './thresholds.ts';
import { type AnswerOf, badge, evidenceOf, number, type RequestOf, type Tone, table, yesOrNo } from './view.ts';

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

/** The sentences of a report with their outcomes and citations, and the nuggets that it reports or lacks. */
function argueView(request: RequestOf<'argue'>, answer: AnswerOf<'argue'>): Html {
  const sentences = answer.sentences.map(
    ({ outcome, nuggets, citations }, index): Content => html`<td>${index + 1}</td>
<th scope="row" class="wide">${request.report.sentences[index].text}</th>
<td>${badge(effectOf(outcome), toneOf(outcome))}<span class="why">${outcome}: ${OUTCOMES[outcome]}</span></td>
<td>${nuggets.length === 0 ? '–' : nuggets.join(', ')}</td>
<td class="wide">${citations.length === 0 ? '–' : citations.map(citationView)}</td>`,
  );
  const nuggets = answer.nuggets.map(({ id, reported, sentences: places }, index): Content => {
    const { question, importance = 'vital', answers = [] } = request.nuggets[index];
    const wanted = answers.length === 0 ? 'that nothing is known' : answers.map(({ text }) => text).join(' / ');
    return html`<th scope="row" class="wide">${question} <span class="muted">${id}, ${importance}</span></th><td class="wide">${wanted}</td>
<td>${yesOrNo(reported)}</td><td>${places.length === 0 ? '–' : places.map((place) => place + 1).join(', ')}</td>`;
  });
  return html`${table('Sentences', ['No.', 'Sentence', 'Outcome', 'Nuggets', 'Citations'], sentences)}
${table('Nuggets', ['Question', 'Wanted', 'Reported', 'By sentences'], nuggets)}`;
}

function citationView({ document, supported, evidence }: AnswerOf<'argue'>['sentences'][number]['citations'][number]) {
  return html`<div>${badge(`[${document}] ${supported ? 'supports it' : 'does not support it'}`, supported ? 'good' : 'bad')}
${evidence !== null && evidenceOf(evidence)}</div>`;
}

function effectOf(outcome: SentenceOutcome): string {
  if (isRewarded(outcome)) return 'rewarded';
  return isLeftOut(outcome) ? 'left out' : 'penalised';
}

function toneOf(outcome: SentenceOutcome): Tone {
  if (isRewarded(outcome)) return 'good';
  return isLeftOut(outcome) ? '' : 'bad';
}

/** A score so near to the level says that something else decided. */
const NEAR = 1e-9;

/** The key points that an answer should tell, and those that it tells. */
function keyPointsView(
  request: RequestOf<'key-point-recall'>,
  answer: AnswerOf<'key-point-recall'>,
  thresholds: Thresholds | null,
): Html {
  const wanted = answer.keyPoints.map(
    (
      { entailed, score, evidence },
      index,
    ): Content => html`<th scope="row" class="wide">${request.keyPoints[index]}</th>
<td>${yesOrNo(entailed)}</td>
<td class="wide">${evidenceOf(evidence)}<span class="why">${whyOf(entailed, score, thresholds)}</span></td>`,
  );
  const own = answer.answerKeyPoints.map(
    ({ text, present, evidence }): Content => html`<th scope="row" class="wide">${text}</th>
<td>${present === null ? badge('not known', '') : yesOrNo(present)}</td><td class="wide">${evidenceOf(evidence)}</td>`,
  );
  return html`<h4>Answer</h4><blockquote class="text">${request.answer}</blockquote>
${table('Key points that it should tell', ['Key point', 'Told', 'Evidence in the answer'], wanted)}
${own.length > 0 && table('Key points that it tells', ['Key point', 'In the documents', 'Evidence there'], own)}`;
}

function whyOf(entailed: boolean, score: number, thresholds: Thresholds | null): string {
  const has = `score ${number(score, 2)}`;
  if (entailed || thresholds === null) return has;
  const { holds } = thresholds;
  if (score > holds - NEAR) return 'missed: what comes near tells other numbers or names';
  return `missed: ${has}, told from ${number(holds, 2)}`;
}

/** A record that folds away: its figures, and behind them how they came about. */
function recordView({ record, answer }: ScoredRecord, thresholds: Thresholds | null): Html {
  const { id, system, order, domain, questionKind } = record;
  const about = [system, domain, questionKind, order].filter((part) => part !== undefined).join(' · ');
  const figures = figuresOf(answer);
  return html`<details class="record">
<summary><b>${id}</b> <span class="muted">${about}</span>${FIGURES[answer.metric].map(
    ({ name, title }) => html` <span class="figure">${title} ${number(figures[name] ?? null)}</span>`,
  )}</summary>
<div>${bodyOf({ record, answer }, thresholds)}
${answer.warnings.map((warning) => html`<p class="muted">Note: ${warning}</p>`)}</div>
</details>
`;
}

function bodyOf(
  { record: { evaluation }, answer }: Pick<ScoredRecord, 'record' | 'answer'>,
  thresholds: Thresholds | null,
) {
  if (answer.metric === 'summhay' && evaluation.metric === 'summhay') {
    return summHayView(evaluation, answer, thresholds);
  }
  if (answer.metric === 'key-point-recall' && evaluation.metric === 'key-point-recall') {
    return keyPointsView(evaluation, answer, thresholds);
  }
  if (answer.metric === 'argue' && evaluation.metric === 'argue') return argueView(evaluation, answer);
  if (answer.metric === 'source-coverage' && evaluation.metric === 'source-coverage') {
    return sourcesView(evaluation, answer);
  }
  throw new TypeError('an answer is of another metric than its record');
}

/** The questions about the sources that a summary answers or not, and the coverage of each document by its place. */
function sourcesView(request: RequestOf<'source-coverage'>, answer: AnswerOf<'source-coverage'>): Html {
  const hasIntent = answer.questions.some(({ relevant }) => relevant !== null);
  const places = new Map(answer.documents.map(({ id, position }) => [id, position + 1]));
  const questions = answer.questions.map((verdict, index): Content => {
    const { question, answer: wanted, document } = request.questions[index];
    const { answerable, matches, relevant, covered, evidence } = verdict;
    return html`<th scope="row" class="wide">${question}<span class="why">${wanted}</span></th>
<td>${document}<span class="why">place ${places.get(document)}</span></td>
<td>${covered ? badge('covered', 'good') : badge(whyMissed(answerable, matches), 'bad')}</td>
${hasIntent && html`<td>${relevant === null ? '–' : yesOrNo(relevant)}</td>`}
<td class="wide">${evidenceOf(evidence)}</td>`;
  });
  const heads = [
    'Question and answer',
    'Document',
    'Covered',
    ...(hasIntent ? ['Relevant'] : []),
    'Evidence in the summary',
  ];
  const documents = answer.documents.map(
    ({ id, position, coverage }): Content => html`<td>${position + 1}</td><th scope="row">${id}</th>
<td>${number(coverage)}</td><td><span class="bar" style="width:${coverage ?? 0}%"></span></td>`,
  );
  return html`<h4>Summary</h4><blockquote class="text">${request.summary}</blockquote>
${table('Questions', heads, questions)}
${table('Documents by place', ['Place', 'Document', 'Coverage', ''], documents, 'curve')}`;
}

function whyMissed(answerable: boolean, matches: boolean): string {
  if (!answerable) return 'not answered';
  return matches ? 'missed' : 'answered otherwise';
}

/**
 * A run as one HTML page to read: the figures, and for each record what was found, where, and why something was not. It loads
 * nothing and runs nothing; every text of the records is escaped.
 */
export function evaluationPage(
  { scored, failed }: Scoring,
  reports: readonly MetricReport[],
  judge: JudgeRecord,
  thresholds: Thresholds | null,
): string {
  const sorted = inCanonicalOrder(scored);
  const body = html`<header><h1>Evaluation</h1>
<p class="muted">${scored.length} ${scored.length === 1 ? 'record' : 'records'}, judged by ${printJudge(judge)}.</p></header>
<nav aria-label="Contents"><ul>${reports.map(
    ({ metric }) => html`<li><a href="#${metric}">${METRIC_TITLES[metric]}</a></li>`,
  )}${failed.length > 0 && html`<li><a href="#failed">Not scored</a></li>`}</ul></nav>
<main id="main">
${reports.map(
  (report) => html`<section id="${report.metric}"><h2>${METRIC_TITLES[report.metric]}</h2>
${figuresView(report)}
<h3>Records</h3>
${sorted.filter(({ answer }) => answer.metric === report.metric).map((each) => recordView(each, thresholds))}
</section>
`,
)}
${
  failed.length > 0 &&
  html`<section id="failed"><h2>Not scored</h2>${table(
    'Records that failed',
    ['Id', 'System', 'Metric', 'Problem'],
    inCanonicalOrder(failed).map(
      ({ record, failure }) => html`<th scope="row">${record.id}</th><td>${record.system ?? '–'}</td>
<td>${METRIC_TITLES[record.evaluation.metric]}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  )}</section>`
}
</main>`;
  return htmlPage({ title: 'Evaluation', style: STYLE, body });
}

/** The tables of a metric: systems, differences, breakdowns, and the curve by place. */
function figuresView({ metric, systems, differences, breakdowns }: MetricReport): Html {
  const columns = FIGURES[metric];
  const titles = columns.map(({ title }) => title);
  const cells = (figures: Readonly<Record<string, Estimate>>, expected: number): Content =>
    columns.map(({ name }) => cell(figures[name], expected));
  const isOrdered = systems.some(({ positionSensitivity }) => positionSensitivity !== null);
  return html`${table(
    'Means with 95% bootstrap intervals',
    ['System', 'n', ...titles, ...(isOrdered ? ['position sensitivity'] : [])],
    systems.map(({ system, records, figures, positionSensitivity }) => [
      html`<th scope="row">${systemTitle(system)}</th><td>${records}</td>`,
      cells(figures, records),
      isOrdered && (positionSensitivity === null ? html`<td>–</td>` : cell(positionSensitivity, positionSensitivity.n)),
    ]),
    'figures',
  )}
${
  differences.length > 0 &&
  table(
    `Less ${systemTitle(differences[0].against)}, over the ids that both have`,
    ['System', 'n', ...titles],
    differences.map(({ system, shared, figures }) => [
      html`<th scope="row">${systemTitle(system)}</th><td>${shared}</td>`,
      cells(figures, shared),
    ]),
    'figures',
  )
}
${breakdowns.map(({ by, rows }) =>
  table(
    `By ${DIMENSION_TITLES[by]}`,
    [DIMENSION_TITLES[by], 'System', 'n', ...titles],
    rows.map(({ value, system, records, figures }) => [
      html`<th scope="row">${value ?? '(not given)'}</th><td class="name">${systemTitle(system)}</td><td>${records}</td>`,
      cells(figures, records),
    ]),
    'figures',
    2,
  ),
)}
${systems.map(({ system, positionCurve }) => positionCurve !== null && curveView(systemTitle(system), positionCurve))}`;
}

function cell({ value, low, high, n }: Estimate, expected: number): Content {
  const range = low !== null && high !== null && html`<span class="range">${number(low)} to ${number(high)}</span>`;
  return html`<td>${number(value)}${range}${n !== expected && html`<span class="range">n = ${n}</span>`}</td>`;
}

function curveView(system: string, curve: readonly EstimatedBin[]): Html {
  const percent = (share: number) => `${Math.round(100 * share)}`;
  const rows = curve.map(
    ({ from, to, coverage }): Content => html`<th scope="row">${percent(from)} to ${percent(to)}%</th>
<td>${coverage.n}</td>${cell(coverage, coverage.n)}<td><span class="bar" style="width:${coverage.value ?? 0}%"></span></td>`,
  );
  const heads = ['Place among the documents', 'Documents', 'Coverage', ''];
  return table(`Coverage by place, ${system}`, heads, rows, 'figures curve');
}
