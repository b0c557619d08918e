import { lastUser, type RecordedRequest, type Reply, type Script } from './scripted-model-server.ts';

/** What a prompt of this project asks for. */
export type Asked =
  | 'extract'
  | 'extract-more'
  | 'select'
  | 'facets'
  | 'grade'
  | 'write'
  | 'write-again'
  | 'edit'
  | 'naive'
  | 'table'
  | 'judge'
  | 'form';

/** Words of the system message that tell what is asked. */
const TELLING: readonly (readonly [Asked, RegExp])[] = [
  ['extract-more', /an earlier reading missed/],
  ['extract', /^You read a (?:document|news article) and list/],
  ['select', /^You (?:pick|select key points), from a numbered list/],
  ['facets', /^You split what a reader wants/],
  ['grade', /^You say which of some numbered/],
  ['write-again', /^You correct sentences/],
  ['edit', /^You edit a short answer/],
  ['write', /^You (?:answer a reader's question|write a report from selected key points)/],
  ['naive', /^You (?:write a digest of documents|read several news articles)/],
  ['table', /^You read one document and answer numbered/],
  ['judge', /^You check statements against/],
];

/** What a request asks: `form` where it asks once more for an answer that could not be read. */
export function askedIn(request: RecordedRequest): Asked {
  if (lastUser(request).startsWith('That answer could not be read')) return 'form';
  return purposeOf(request);
}

function purposeOf({ body }: RecordedRequest): Asked {
  const system = body.messages?.[0]?.content ?? '';
  const found = TELLING.find(([, words]) => words.test(system));
  if (found === undefined) throw new Error(`no prompt that is known here: ${system.slice(0, 80)}`);
  return found[0];
}

/** The texts between the lines that mark foreign text, by what they are called. */
export function dataIn({ body }: RecordedRequest, kind: string): { readonly number: number; readonly text: string }[] {
  const user = body.messages?.[1]?.content ?? '';
  const block = new RegExp(
    `<<<BEGIN ${kind}(?: (\\d+))? ([0-9a-f]{16})>>>\\n([\\s\\S]*?)\\n<<<END ${kind}[^\\n]* \\2>>>`,
    'g',
  );
  return [...user.matchAll(block)].map(([, number = '0', , text]) => ({ number: Number(number), text }));
}

/** The sentences of a document that state something, as they stand in it. */
export function statementsIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.replace(/^- /, '').split(/(?<=(?<!\bDr)[.!?]["”]?)\s+/))
    .filter((sentence) => /[.!]["”]?$/.test(sentence));
}

export interface GivenPoint {
  readonly text: string;
  readonly number: number;
}

/** What a writer is given with numbers, document by document: key points, or the passages of whole documents. */
export function givenPoints(request: RecordedRequest): GivenPoint[][] {
  const [points] = dataIn(request, 'key points');
  if (points === undefined) return dataIn(request, 'document').map(({ text }) => passagesIn(text));
  const { text } = points;
  return text.split('\n\n').map((document) => document.split('\n').flatMap(pointIn));
}

function passagesIn(text: string): GivenPoint[] {
  const passages = [...text.matchAll(/\[(\d+)\] ([^[\n]+)/g)];
  return passages
    .map(([, number, said]) => ({ number: Number(number), text: said.trim() }))
    .filter((passage) => /[.!]["”]?$/.test(passage.text));
}

function pointIn(line: string): GivenPoint[] {
  const found = /^\[(\d+)\] (.+)$/.exec(line);
  return found === null ? [] : [{ text: found[2], number: Number(found[1]) }];
}

/** The key points that a model is to grade, as their lines stand in the prompt. */
export function pointsToGrade(request: RecordedRequest): GivenPoint[] {
  const lines = dataIn(request, 'key points')[0].text.matchAll(/^(\d+)\. (.+)$/gm);
  return [...lines].map(([, number, text]) => ({ number: Number(number), text }));
}

/** JSON of grades, by what the points say. */
export function gradesOf(request: RecordedRequest, answers: RegExp, helps: RegExp, unanswered: number[] = []): string {
  const named = (words: RegExp) =>
    pointsToGrade(request).flatMap(({ number, text }) => (words.test(text) ? number : []));
  return JSON.stringify({ answers: named(answers), helps: named(helps), unanswered });
}

/** JSON of an extraction: each statement is its own quote. */
export function keyPointsOf(statements: readonly string[]): string {
  return JSON.stringify({ keyPoints: statements.map((text) => ({ text, quotes: [text] })) });
}

/** How much around a passage a judge takes into account, in UTF-16 units. */
const AROUND = 400;

const ANSWERS: Readonly<Record<Asked, (request: RecordedRequest) => string>> = {
  extract: (request) => keyPointsOf(statementsIn(dataIn(request, 'document')[0].text)),
  'extract-more': () => keyPointsOf([]),
  select: (request) => {
    const numbers = dataIn(request, 'key points')[0]
      .text.split('\n')
      .map((line) => Number.parseInt(line, 10));
    return JSON.stringify({ picked: numbers.filter((number) => number % 2 === 1).slice(0, 6) });
  },
  facets: (request) => JSON.stringify({ parts: dataIn(request, 'question')[0].text.split(/, and /) }),
  grade: (request) => {
    const asked = wordsOf(dataIn(request, 'question')[0].text).filter((word) => word.length > 4);
    return gradesOf(request, new RegExp(asked.join('|'), 'i'), /(?!)/);
  },
  write: (request) => {
    const isList = /begins with "- "/.test(lastUser(request));
    const documents = givenPoints(request);
    if (/Write three sentences/.test(lastUser(request))) return documents.flat().slice(0, 3).map(cited).join(' ');
    if (isList)
      return documents
        .flat()
        .map((point) => `- ${cited(point)}`)
        .join('\n');
    return documents.map((points) => points.map(cited).join(' ')).join('\n\n');
  },
  edit: (request) => dataIn(request, 'draft')[0].text,
  'write-again': (request) =>
    dataIn(request, 'sentences')[0]
      .text.split('\n\n')
      .map((block, index) => {
        const [, number, quote] = /^\[(\d+)\][^«]*«([^»]*)»/m.exec(block) ?? [];
        return `${index + 1}: ${quote} [${number}]`;
      })
      .join('\n'),
  naive: (request) => {
    const sentences = dataIn(request, 'document').flatMap(({ number, text }) =>
      statementsIn(text)
        .slice(0, 2)
        .map((statement) => ({ text: statement, quotes: [{ document: number, quote: statement }] })),
    );
    return JSON.stringify({ sentences });
  },
  table: (request) => {
    const statements = statementsIn(dataIn(request, 'document')[0].text);
    const cells = dataIn(request, 'questions')[0]
      .text.split('\n')
      .map((line, index) => {
        const asked = wordsOf(line).filter((word) => word.length > 4);
        const quote = statements.find((statement) => asked.some((word) => wordsOf(statement).includes(word))) ?? '';
        return { question: index + 1, said: quote !== '', answer: quote, quote };
      });
    return JSON.stringify({ cells });
  },
  judge: (request) => {
    const [{ text: shown }] = dataIn(request, 'passages');
    const passages = new Map(
      [...shown.matchAll(/\[(\d+)\] [^«[]*«[^»]*»/g)].map(({ 0: own, 1: number, index }) => [
        Number(number),
        shown.slice(Math.max(0, index - AROUND), index + own.length + AROUND),
      ]),
    );
    const verdicts = dataIn(request, 'statements')[0]
      .text.split('\n')
      .map((line) => {
        const [, statement, text, cited] = /^(\d+)\. (.*) ((?:\[\d+\])+)(?: \(look again.*\))?$/.exec(line) ?? [];
        const known = (cited?.match(/\d+/g) ?? []).map((number) => passages.get(Number(number))).join(' ');
        const missing = wordsOf(text).filter((word) => word !== 'and' && !wordsOf(known).includes(word));
        return { statement: Number(statement), wrong: missing.join(' '), idle: [], supported: missing.length === 0 };
      });
    return JSON.stringify({ verdicts });
  },
  form: (request) => ANSWERS[purposeOf(request)](request),
};

function wordsOf(text = ''): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function cited({ text, number }: GivenPoint): string {
  return `${text} [${number}]`;
}

/** A model that answers well whatever this project asks it. */
export const good = (request: RecordedRequest): Reply => ({ text: ANSWERS[askedIn(request)](request) });

/** Answers otherwise for some purposes (also when asked once more for the form), and well for others. */
export function goodBut(purposes: readonly Asked[], otherwise: Script): Script {
  return (request, index) => (purposes.includes(purposeOf(request)) ? otherwise(request, index) : good(request));
}
