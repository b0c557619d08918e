import { lastUser, type RecordedRequest, type Reply, type Script } from './scripted-model-server.ts';

/** What a prompt of this project asks for. */
export type Asked =
  | 'extract'
  | 'extract-more'
  | 'select'
  | 'facets'
  | 'write'
  | 'write-again'
  | 'naive'
  | 'judge'
  | 'form';

/** Words of the system message that tell what is asked. */
const TELLING: readonly (readonly [Asked, RegExp])[] = [
  ['extract-more', /an earlier reading missed/],
  ['extract', /^You read a document and list/],
  ['select', /^You pick, from a numbered list/],
  ['facets', /^You split what a reader wants/],
  ['write-again', /^You correct sentences/],
  ['write', /^You write short, factual texts/],
  ['naive', /^You write a digest of documents/],
  ['judge', /^You compare sentences with the quotes/],
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

/** The key points that a writer is given, by theme. */
export function givenPoints(request: RecordedRequest): GivenPoint[][] {
  const [{ text }] = dataIn(request, 'key points');
  return text.split('\n\n').map((theme) => theme.split('\n').flatMap(pointIn));
}

function pointIn(line: string): GivenPoint[] {
  const found = /^- (.+) \[(\d+)\]$/.exec(line);
  return found === null ? [] : [{ text: found[1], number: Number(found[2]) }];
}

/** JSON of an extraction: each statement is its own quote. */
export function keyPointsOf(statements: readonly string[]): string {
  return JSON.stringify({ keyPoints: statements.map((text) => ({ text, quotes: [text] })) });
}

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
  write: (request) => {
    const isList = /begins with "- "/.test(lastUser(request));
    const themes = givenPoints(request);
    if (isList)
      return themes
        .flat()
        .map((point) => `- ${cited(point)}`)
        .join('\n');
    return themes.map((theme) => merged(theme).join(' ')).join('\n\n');
  },
  'write-again': (request) =>
    dataIn(request, 'sentences')[0]
      .text.split('\n\n')
      .map((block, index) => `${index + 1}: ${cited(block.split('\n').flatMap(pointIn)[0])}`)
      .join('\n'),
  naive: (request) => {
    const sentences = dataIn(request, 'document').flatMap(({ number, text }) =>
      statementsIn(text)
        .slice(0, 2)
        .map((statement) => ({ text: statement, quotes: [{ document: number, quote: statement }] })),
    );
    return JSON.stringify({ sentences });
  },
  judge: () => JSON.stringify({ supported: [] }),
  form: (request) => ANSWERS[purposeOf(request)](request),
};

function cited({ text, number }: GivenPoint): string {
  return `${text} [${number}]`;
}

/** One sentence for each point, but the first two of a long theme in one. */
function merged(theme: readonly GivenPoint[]): string[] {
  if (theme.length < 3) return theme.map(cited);
  const [first, second, ...rest] = theme;
  const both = `${first.text.replace(/[.!?]$/, '')}; ${second.text} [${first.number}][${second.number}]`;
  return [both, ...rest.map(cited)];
}

/** A model that answers well whatever this project asks it. */
export const good = (request: RecordedRequest): Reply => ({ text: ANSWERS[askedIn(request)](request) });

/** Answers otherwise for some purposes (also when asked once more for the form), and well for others. */
export function goodBut(purposes: readonly Asked[], otherwise: Script): Script {
  return (request, index) => (purposes.includes(purposeOf(request)) ? otherwise(request, index) : good(request));
}
