import { z } from 'zod';
import * as denying from '../../src/evaluation/embedded/denials.ts';
import * as matching from '../../src/evaluation/embedded/matching.ts';
import * as passages from '../../src/evaluation/embedded/passages.ts';
import * as kinds from '../../src/evaluation/embedded/sentence-kinds.ts';
import * as marked from '../../src/evaluation/marked-text.ts';
import * as metric from '../../src/evaluation/metric.ts';
import { argue } from '../../src/evaluation/metrics/argue.ts';
import * as summhay from '../../src/evaluation/metrics/summhay.ts';
import * as asker from '../../src/evaluation/model/asker.ts';
import * as batches from '../../src/models/encoders/endpoint-encoder.ts';
import * as address from '../../src/models/language/model-endpoint.ts';
import * as prompt from '../../src/models/language/prompt.ts';
import * as answers from '../../src/models/language/read-answer.ts';
import * as cause from '../../src/models/language/safe-cause.ts';
import { titlePrefix } from '../../src/summary/compose.ts';
import * as themes from '../../src/summary/order-themes.ts';
import * as outlined from '../../src/summary/outline.ts';
import * as writer from '../../src/summary/rewrite/model-writer.ts';
import * as draft from '../../src/summary/rewrite/parse-draft.ts';
import * as same from '../../src/summary/same-statements.ts';
import * as wording from '../../src/summary/sentence-text.ts';
import { foreignIn } from '../../src/summary/verify/foreign.ts';
import * as held from '../../src/summary/verify/hold-points.ts';
import * as names from '../../src/summary/verify/names.ts';
import * as numbers from '../../src/summary/verify/numbers.ts';
import * as citations from '../../src/text/citation-markers.ts';
import * as content from '../../src/text/content-words.ts';
import * as align from '../../src/text/documents/align-quote.ts';
import * as blocks from '../../src/text/documents/blocks.ts';
import * as documents from '../../src/text/documents/document.ts';
import * as fold from '../../src/text/documents/fold-text.ts';
import * as html from '../../src/text/documents/html.ts';
import * as labels from '../../src/text/documents/labels.ts';
import * as languages from '../../src/text/documents/language.ts';
import * as mail from '../../src/text/documents/mail.ts';
import * as lines from '../../src/text/documents/marked-lines.ts';
import * as outline from '../../src/text/documents/outline.ts';
import * as sentences from '../../src/text/documents/sentences.ts';
import * as around from '../../src/text/documents/surrounding-text.ts';
import * as windows from '../../src/text/documents/windows.ts';
import * as decoding from '../../src/text/files/decode-text.ts';
import * as facts from '../../src/text/files/file-facts.ts';
import * as markup from '../../src/text/files/markup-text.ts';
import { readCsv } from '../../src/text/files/read-csv.ts';
import * as docx from '../../src/text/files/read-docx.ts';
import * as file from '../../src/text/files/read-file.ts';
import * as pdf from '../../src/text/files/read-pdf.ts';
import * as tables from '../../src/text/files/table-markup.ts';
import * as clauses from '../../src/text/key-points/clauses.ts';
import * as extract from '../../src/text/key-points/extract-sentences.ts';
import * as piece from '../../src/text/key-points/piece.ts';
import * as rules from '../../src/text/key-points/sentence-rules.ts';
import * as tidy from '../../src/text/key-points/tidy.ts';
import * as speech from '../../src/text/key-points/tidy-speech.ts';
import * as lists from '../../src/text/lists.ts';
import * as runtime from '../../src/text/runtime.ts';
import * as words from '../../src/text/words.ts';

export type Rule = (text: string) => unknown;

const S = 'The council of Bonn raised the fare by 12 percent in May 2021.';
const NONE: ReadonlySet<string> = new Set();
const KNOWN: ReadonlySet<string> = new Set(['1', '2', 'd1']);
const VERDICTS = z.object({ verdicts: z.array(z.object({ a: z.int() })) });
const SETTING = { english: true, cased: true, disfluent: true };
const ALL = { documents: undefined, sources: undefined };

/** The text with one unit of its middle changed, so that nothing equals it. */
const other = (text: string) => `${text.slice(0, text.length / 2)}z${text.slice(text.length / 2 + 1)}`;
const whole = (text: string) => ({ start: 0, end: text.length });
const point = (text: string) => ({ text, quote: { text }, under: [text], selfContained: 0.1, speaker: text });
const split = (text: string) => {
  const found = blocks.blocks(text, lines.markLines(text));
  return { found, spans: found.map(({ start, end }) => [{ start, end }]) };
};
const passage = (text: string) => ({ document: 'd1', quotes: [{ text }], speaker: 'Ann' });
/** A rule of two texts, with the hostile one on either side and on both. */
const pair = (rule: (one: string, two: string) => unknown): Rule[] => [
  (text) => rule(text, S),
  (text) => rule(S, text),
  (text) => rule(text, other(text)),
];

/** Each rule over text by its file and name; several ways of calling it where it takes several texts. */
export const RULES: Readonly<Record<string, Readonly<Record<string, Rule | readonly Rule[]>>>> = {
  'text/citation-markers.ts': {
    citationMarkers: (text) => citations.citationMarkers([text]),
    endsInMarkers: citations.endsInMarkers,
    escapeMarkers: citations.escapeMarkers,
    numberedMarkers: citations.numberedMarkers,
    citedNumbers: citations.citedNumbers,
    numbersOfList: citations.numbersOfList,
    findMarkers: (text) => citations.findMarkers(text, KNOWN),
  },
  'text/content-words.ts': {
    stemmedWords: content.stemmedWords,
    wordSet: content.wordSet,
    contentWords: content.contentWords,
    contentStems: content.contentStems,
    stemFinder: pair((one, two) => content.stemFinder([...content.wordSet(one)])(two)),
    wordOverlap: pair((one, two) => content.wordOverlap(content.wordSet(one), [content.wordSet(two)])),
    asks: content.asks,
  },
  'text/documents/align-quote.ts': { quoteAligner: pair((one, two) => align.quoteAligner(one).align(two)) },
  'text/documents/blocks.ts': { blocks: (text) => blocks.blocks(text, lines.markLines(text)) },
  'text/documents/document.ts': {
    isBlank: (text) => documents.isBlank(text, text.length - 1),
    characterAt: (text) => documents.characterAt(text, text.length - 1),
    trimSpan: (text) => documents.trimSpan(text, 0, text.length),
    beginning: (text) => documents.beginning(text, text.length - 1),
    findLoneSurrogate: documents.findLoneSurrogate,
  },
  'text/documents/fold-text.ts': { foldText: fold.foldText },
  'text/documents/html.ts': { isHtml: html.isHtml, readHtml: (text) => html.readHtml(text) },
  'text/documents/labels.ts': {
    turns: (text) => labels.turns(text, lines.markLines(text)),
    fieldLabel: (text) => labels.fieldLabel(text, whole(text)),
    boldHead: (text) => labels.boldHead(text, { ...whole(text), kind: 'prose' }),
    runInHead: (text) => labels.runInHead(text, { ...whole(text), kind: 'prose' }, [whole(text), whole(text)]),
    hasRunInHeads: (text) => labels.hasRunInHeads(text, split(text).found, split(text).spans),
  },
  'text/documents/language.ts': {
    language: languages.language,
    languageAmong: (text) => languages.languageAmong(text, 'eng', ['deu']),
    languageName: languages.languageName,
  },
  'text/documents/mail.ts': { messagesOf: (text) => mail.messagesOf(text, lines.markLines(text)) },
  'text/documents/marked-lines.ts': { markLines: lines.markLines },
  'text/documents/outline.ts': { outline: (text) => outline.outline(text, split(text).found, split(text).spans) },
  'text/documents/sentences.ts': { read: sentences.read, sentences: sentences.sentences },
  'text/documents/surrounding-text.ts': {
    openingOf: (text) => around.openingOf(text, sentences.sentences(text)),
    earlierSentence: (text) => around.earlierSentence(text, ['Ann', text], text.length, sentences.sentences(text)),
    surroundingText: (text) =>
      around.surroundingText(text, { start: text.length / 2, end: text.length / 2 + 9 }, sentences.sentences(text)),
  },
  'text/documents/windows.ts': {
    windows: (text) => windows.windows(text, { bytes: 2000, overlapBytes: 200 }),
    utf8Length: windows.utf8Length,
  },
  'text/files/file-facts.ts': {
    fileKind: [
      (text) => facts.fileKind(text, new TextEncoder().encode('Trams run.')),
      (text) => facts.fileKind('a.txt', new TextEncoder().encode(text)),
    ],
    countOf: (text) => facts.countOf(new TextEncoder().encode(text), 'aaab'),
    firstHeading: facts.firstHeading,
    titleOf: pair(facts.titleOf),
  },
  'text/files/decode-text.ts': { decodeText: (text) => decoding.decodeText(new TextEncoder().encode(text), true) },
  'text/files/table-markup.ts': {
    escapeMarkup: tables.escapeMarkup,
    tableMarkup: (text) => tables.tableMarkup(text.split('\n').map((line) => [line, line])),
  },
  'text/files/markup-text.ts': { markupText: markup.markupText, pageFacts: markup.pageFacts },
  'text/files/read-docx.ts': { wordText: docx.wordText },
  'text/files/read-csv.ts': { readCsv },
  'text/files/read-file.ts': { readFile: (text) => file.readFile('a.html', new TextEncoder().encode(text)) },
  'text/files/read-pdf.ts': {
    joinedLines: (text) => pdf.joinedLines(text.split('\n'), NONE),
    textOfPages: (text) =>
      pdf.textOfPages([
        text.split('\n').map((str, n) => ({ str, x: 0, y: -n * 12, width: 9, fontSize: 10, hasEOL: true })),
      ]),
  },
  'text/key-points/clauses.ts': {
    clauses: (text) => clauses.clauses(text, whole(text), true),
  },
  'text/key-points/extract-sentences.ts': { extractSentences: extract.extractSentences },
  'text/key-points/piece.ts': {
    pieceOf: (['turn', 'prose', 'table'] as const).map(
      (kind) => (text: string) => piece.pieceOf(text, { ...whole(text), kind, paragraph: 0 }, false, SETTING),
    ),
  },
  'text/key-points/sentence-rules.ts': {
    isBoilerplate: rules.isBoilerplate,
    isByline: rules.isByline,
    isPhatic: rules.isPhatic,
    isPolar: rules.isPolar,
    leaning: (text) => rules.leaning(text, { english: true, lower: true }),
    isFragment: (text) => rules.isFragment(text, true),
    isTerse: (text) => rules.isTerse(text, true),
    isWhole: (text) => rules.isWhole(text, true),
  },
  'text/key-points/tidy-speech.ts': {
    tidySpeech: (text) => speech.tidySpeech(text, true),
    startsUpper: speech.startsUpper,
  },
  'text/key-points/tidy.ts': {
    tidy: tidy.tidy,
    withoutLeadIn: tidy.withoutLeadIn,
    datelineLength: tidy.datelineLength,
  },
  'text/lists.ts': { sortedBy: (text) => lists.sortedBy(text.split(' '), (word) => word) },
  'text/runtime.ts': { dateText: runtime.dateText, parseUrl: runtime.parseUrl },
  'text/words.ts': {
    wordsOf: words.wordsOf,
    lengthInWords: words.lengthInWords,
    followsEnglishRules: words.followsEnglishRules,
    hasVerb: (text) => words.hasVerb(text, true),
    countContent: words.countContent,
    isCommon: words.isCommon,
    isDisfluent: words.isDisfluent,
    endsInQuestion: words.endsInQuestion,
  },
  'summary/compose.ts': { titlePrefix: (title) => titlePrefix({ title }) },
  'summary/order-themes.ts': { statedDate: themes.statedDate },
  'summary/outline.ts': {
    citeAll: (text) => outlined.citeAll(text, []),
    framingSentence: outlined.framingSentence,
  },
  'summary/rewrite/model-writer.ts': { partsText: (text) => writer.partsText([text, text]) },
  'summary/rewrite/parse-draft.ts': {
    parseDraft: draft.parseDraft,
    standingSentences: draft.standingSentences,
    labelled: (text) => draft.labelled(text, text),
  },
  'summary/same-statements.ts': {
    holdsWords: pair(same.holdsWords),
    repeatsSpelt: pair(same.repeatsSpelt),
  },
  'summary/sentence-text.ts': {
    isQuestion: wording.isQuestion,
    spelt: wording.spelt,
    speltWords: wording.speltWords,
    endSentence: wording.endSentence,
    plainText: wording.plainText,
    countWords: wording.countWords,
    wordsIn: (text) => wording.wordsIn([text]),
    sentenceText: (text) => wording.sentenceText(point(text), {}, true),
    leanOf: (text) => wording.leanOf(point(text)),
  },
  'summary/verify/foreign.ts': { foreignIn: pair((text, two) => foreignIn(text, [two])) },
  'summary/verify/hold-points.ts': {
    isQuoted: pair((one, two) => held.isQuoted(one, [passage(two)])),
    isVerbatim: pair((one, two) => held.isVerbatim(one, [two], ['Ann'])),
  },
  'summary/verify/names.ts': { unsupportedNames: pair((text, two) => names.unsupportedNames({ text, quotes: [two] })) },
  'summary/verify/numbers.ts': {
    numbersIn: numbers.numbersIn,
    unsupportedNumbers: [
      ...pair((one, two) => numbers.unsupportedNumbers(one, [two])),
      (text) => numbers.unsupportedNumbers(text, [text.replaceAll('1', '2')]),
    ],
  },
  'evaluation/embedded/denials.ts': { denials: denying.denials, looksEnglish: denying.looksEnglish },
  'evaluation/embedded/matching.ts': {
    weighedWords: matching.weighedWords,
    isForeignTo: (text) => matching.isForeignTo({ profile: { languages: ['eng'] } } as never, text),
  },
  'evaluation/embedded/passages.ts': {
    wholePassage: passages.wholePassage,
    passagesOf: passages.passagesOf,
    ranked: (text) => passages.ranked([0, 0], [text, other(text)]),
    agreementOfFacts: pair((one, text) => passages.agreementOfFacts(one, { text, sentences: [text] })),
    bearsFacts: pair((one, text) => passages.bearsFacts(one, { text, sentences: [text, S] })),
  },
  'evaluation/embedded/sentence-kinds.ts': {
    statesAbsence: kinds.statesAbsence,
    kindsOf: (text) => kinds.kindsOf([text], {}),
  },
  'evaluation/marked-text.ts': {
    splitSentences: (text) => marked.splitSentences(text, ALL, ''),
    splitBullets: (text) => marked.splitBullets(text, ALL, ''),
    stripMarkers: (text) => {
      const stripped = marked.stripMarkers(text, KNOWN);
      return stripped.restore(stripped.text.slice(stripped.text.length / 2));
    },
    citedNames: marked.citedNames,
  },
  'evaluation/metric.ts': { isBlank: metric.isBlank },
  'evaluation/metrics/argue.ts': {
    said: (text) =>
      argue.said({ metric: 'argue', report: { sentences: [{ text, citations: [] }] }, nuggets: [], documents: [] }),
  },
  'evaluation/metrics/summhay.ts': { readBullet: (text) => summhay.readBullet(text, KNOWN) },
  'evaluation/model/asker.ts': {
    pieces: (text) => asker.pieces(text, 4000),
    nearestFirst: (text) => asker.nearestFirst(text, asker.pieces(text, 4000)),
    evidenceIn: pair(asker.evidenceIn),
  },
  'models/encoders/endpoint-encoder.ts': { inBatches: (text) => batches.inBatches([text, S], 9, 400) },
  'models/language/model-endpoint.ts': { shownAddress: (text) => address.shownAddress(`https://a.example/${text}`) },
  'models/language/prompt.ts': {
    parsePrompt: prompt.parsePrompt,
    renderPrompt: (text) =>
      prompt.renderPrompt(
        { id: 'a', stage: 'judge', purpose: '', variables: [], system: text, user: '{{a}}', hash: '' },
        { a: text },
      ),
    withoutUnseen: prompt.withoutUnseen,
    asData: (text) => prompt.asData('document', text),
  },
  'models/language/read-answer.ts': {
    readJson: [(text) => answers.readJson(text, VERDICTS), (text) => answers.readJson(text, VERDICTS, true)],
    choiceProbabilities: (text) =>
      answers.choiceProbabilities(
        text,
        text.split(' ').map((token) => ({ token, top: [{ token, logprob: -1 }] })),
        ['YES', 'NO'],
      ),
  },
  'models/language/safe-cause.ts': { safeCause: (text) => cause.safeCause(new Error(text), 'sk-1', [text, S]) },
};

/** Functions that a string reaches but no rule over its text, with what they do. */
export const EXEMPT: Readonly<Record<string, string>> = {
  packageFile: 'joins names of files',
  knownContext: 'looks a name up',
  servedContext: 'asks a server',
  judgeTwice: 'calls a judge; its rules are unsupportedNumbers and unsupportedNames',
  byText: 'compares two texts',
  needed: 'looks for null',
  checkSources: 'compares ids',
  checkEach: 'calls another rule',
  isRepeated: 'compares ids',
  citationScores: 'compares ids',
  encodeTexts: 'calls an encoder',
  encodedTokens: 'calls an encoder',
  loadPrompts: 'reads files of a folder',
  counted: 'joins a number and a word',
  readArchive: 'unpacks bytes; its bounds are tested in read-office',
  find: 'compares names of tags',
  relationsOf: 'looks an archive up',
  encodeQueries: 'calls an encoder',
  encoderEndpoint: 'calls an encoder',
  processingId: 'joins settings',
  missingWeights: 'names files',
  loadModel: 'loads a model',
  readModelConfig: 'reads a file of a model',
  shippedReader: 'loads a model',
};
