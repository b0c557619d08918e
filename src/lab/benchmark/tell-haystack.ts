import type { Making } from '../benchmark-set.ts';
import { askingAgain } from '../haystack/asking-again.ts';
import type { Haystack } from '../haystack/haystack-options.ts';

/** Insights that are named; the rest are counted. */
const MOST_NAMED = 10;

/** What came of a haystack, in lines: what it holds, what is wrong with it and why, and what a person can try. */
export function haystackTold({ rare }: Pick<Haystack, 'rare'>, making: Making): string {
  const { counts, options, model } = making;
  const { documents, cases, insights } = counts;
  const lines = [
    `The haystack has ${documents} documents, ${cases} cases and ${insights} insights.`,
    ...(model === null ? statementLines(making) : modelLines(making)),
    rare.length > 0 &&
      `Insights in fewer than the ${options.least} documents of --least: ${rare.length}. ${rareAdvice(making)}`,
    ...rare.slice(0, MOST_NAMED).map(({ text, documents: telling }) => `  in ${telling}: ${text}`),
    rare.length > MOST_NAMED && `  and ${rare.length - MOST_NAMED} more`,
  ];
  return lines.flatMap((line) => (line === false ? [] : [`${line}\n`])).join('');
}

function statementLines({ counts, options }: Making): (string | false)[] {
  const { statements, unused, repeated, documents } = counts;
  const isFull = documents === options.documents;
  return [
    unused > 0 &&
      `Statements left out: ${unused} of ${statements}, as ${isFull ? 'the documents are full: raise --documents or --words' : 'no document has room that does not tell their insights already: lower --words for more documents'}.`,
    repeated > 0 && `Statements that stand once more, as --repeat allows: ${repeated}.`,
    !isFull &&
      `Documents fewer than the ${options.documents} of --documents, as the statements fill no more of about ${options.words} words: lower --words for more.`,
  ];
}

function modelLines({ counts, options }: Making): (string | false)[] {
  const { subtopicsGiven, surplusSubtopics, insightsGiven, sentBack, unspecific, repeatedInsights, surplusInsights } =
    counts;
  const thin = counts.thinSubtopics + counts.subtopicsLeftThin;
  const dropped = [
    part(unspecific, 'without a number, date or name, or longer than a sentence'),
    part(repeatedInsights, 'there before'),
    part(surplusInsights, 'beyond those wanted of their subtopic'),
    part(counts.recategorised, 'sorted to another subtopic, or to none, when seen without theirs'),
  ].filter((each) => each !== false);
  return [
    `The outline gave ${subtopicsGiven} subtopics and ${insightsGiven} insights${sentBack > 0 ? `, ${sentBack} of which were too vague and sent back once` : ''}.`,
    counts.unreadSubtopics + counts.unreadInsights > 0 &&
      `Passed over in the outline, as they have not the form that was asked for: ${[part(counts.unreadSubtopics, 'subtopics'), part(counts.unreadInsights, 'insights')].filter((each) => each !== false).join(', ')}.`,
    dropped.length > 0 && `Insights dropped: ${dropped.join('; ')}.`,
    thin + surplusSubtopics > 0 &&
      `Subtopics dropped with what was left of them: ${[part(thin, `with too few insights for --insights ${options.insights}`), part(surplusSubtopics, 'named twice, or beyond --subtopics')].filter((each) => each !== false).join('; ')}.`,
    counts.uncategorised > 0 &&
      `Insights that stayed where they were, as the model did not say where they belong: ${counts.uncategorised}.`,
    counts.unwritten > 0 &&
      `Documents left out of the ${options.documents} of --documents, as the model wrote nothing for them: ${counts.unwritten}. ${askingAgain(counts)}, another --model or shorter --words may give them.`,
    counts.unread > 0 &&
      `Documents left out, as the model gave no readable answer about what they tell: ${counts.unread}. ${askingAgain(counts)} or another --model may give them.`,
    counts.edits > 0 && `Edits of documents that told too little or too much, or broke off: ${counts.edits}.`,
    counts.missingLeft + counts.extraneousLeft > 0 &&
      `Still wrong with the documents after that, and put right in the labels: insights not told where they should be: ${counts.missingLeft}; told where they should not be: ${counts.extraneousLeft}.`,
    counts.unfounded > 0 &&
      `Insights said to be told with words that the document does not hold, which count as not told: ${counts.unfounded}.`,
    counts.unreadEdits > 0 &&
      `Edits that were dropped, as the model gave no readable answer about what they tell: ${counts.unreadEdits}. The version before counts.`,
    counts.unfinished > 0 &&
      `Documents that break off, also after edits: ${counts.unfinished}. Shorter --words, or another --model, may end them.`,
    counts.toldNowhere > 0 && `Insights left out, as no document tells them: ${counts.toldNowhere}.`,
  ];
}

/** What would bring rare insights into more documents. */
function rareAdvice({ counts, model, options }: Making): string {
  if (model === null) {
    return options.repeat === true
      ? 'Their statements stand as often as they can.'
      : 'They have fewer statements: give more, or let them stand in several documents (--repeat).';
  }
  const more = options.edits === 0 ? 'let documents be edited (--edits)' : 'allow more --edits';
  if (counts.unwritten + counts.unread > 0 && counts.missingLeft === 0)
    return 'They were planned for documents that were left out.';
  return `The model left them out, or did not find them again: ${more}, ask for fewer facts a document (more --documents, fewer --insights) or longer ones (--words), or ask another --model.`;
}

function part(count: number, what: string): string | false {
  return count > 0 && `${count} ${what}`;
}
