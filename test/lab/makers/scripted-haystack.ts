import type { RecordedRequest, Reply } from '../../support/scripted-model-server.ts';

/** What a scripted model does wrong; nothing without it. */
export interface Mistakes {
  /** Text of the outline's answer. */
  readonly outline?: unknown;
  /** Facts that are sorted elsewhere. */
  readonly foreign?: readonly string[];
  /** Numbers of articles that lack their first fact, and whether edits help. */
  readonly lacking?: readonly number[];
  /** Numbers of articles that tell a fact of the outline that is not theirs. */
  readonly telling?: { readonly articles: readonly number[]; readonly fact: string };
  /** Pairs of lines of the outline, the first of which is said to overlap with the second. */
  readonly overlapping?: readonly (readonly [string, string])[];
  /** Facts that the first attempts at their chapter leave out, with how many do. */
  readonly slow?: { readonly fact: string; readonly attempts: number };
  readonly areEditsInVain?: boolean;
  /** Whether no fact is found in any document. */
  readonly isBlind?: boolean;
  /** Whether a request, by what it asks for, gets nonsense for an answer. */
  readonly isNonsense?: (asks: Asks, user: string) => boolean;
}

export type Asks = 'outline' | 'overlap' | 'again' | 'sort' | 'article' | 'chapter' | 'find' | 'edit';

const OPENINGS: readonly (readonly [string, Asks])[] = [
  ['You plan a collection', 'outline'],
  ['You look through a numbered list', 'overlap'],
  ['You write facts again', 'again'],
  ['You sort facts', 'sort'],
  ['You write one article', 'article'],
  ['You write the transcript', 'chapter'],
  ['You find which facts', 'find'],
  ['You edit one text', 'edit'],
];

export const OUTLINE = {
  subtopics: [
    {
      name: 'Harbour works',
      query: 'What is built in the harbour?',
      insights: [
        'The new quay is 340 metres long.',
        'The crane was shipped from Busan in May.',
        'Dredging removed two million tonnes of mud.',
      ],
    },
    {
      name: 'Harbour money',
      query: 'Who pays for the harbour?',
      insights: [
        'The loan of the bank is 90 million euros.',
        'Mayor Ines Aldana signed the contract in 2021.',
        'Fees rose by 12 percent in the spring.',
      ],
    },
  ],
};

export const FACTS = OUTLINE.subtopics.flatMap(({ insights }) => insights);

export function asksFor({ body }: RecordedRequest): Asks {
  const system = body.messages?.[0]?.content ?? '';
  const found = OPENINGS.find(([opening]) => system.startsWith(opening));
  if (found === undefined) throw new Error(`no prompt begins "${system.slice(0, 40)}"`);
  return found[1];
}

/** A model that writes articles of nothing but facts, a line each, and finds them again by their letters. */
export function scriptedHaystack(mistakes: Mistakes = {}): (request: RecordedRequest) => Reply {
  return (request) => {
    const asks = asksFor(request);
    const user = request.body.messages?.[1]?.content ?? '';
    if (mistakes.isNonsense?.(asks, user))
      return { text: asks === 'article' || asks === 'chapter' || asks === 'edit' ? '…' : 'No.' };
    const answer = answers[asks](user, mistakes);
    return { text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  };
}

const answers: Readonly<Record<Asks, (user: string, mistakes: Mistakes) => unknown>> = {
  outline: (_, { outline = OUTLINE }) => outline,
  overlap: (user, { overlapping = [] }) => {
    const items = listed(user, 'items');
    const placeOf = (text: string) => items.findIndex((item) => item.startsWith(text)) + 1;
    const overlaps = overlapping.map(([item, other]) => ({ item: placeOf(item), with: placeOf(other) }));
    return { overlaps: overlaps.filter((pair) => pair.item > 0 && pair.with > 0) };
  },
  again: (user) => ({
    insights: listed(user, 'facts').map((_, place) => ({
      number: place + 1,
      insight: place === 0 ? 'The sharpened fact counts 77 boats.' : 'It is still rather vague.',
    })),
  }),
  sort: (user, { foreign = [] }) => {
    const subtopics = listed(user, 'subtopics');
    const places = listed(user, 'facts').map((fact, place) => {
      const own = OUTLINE.subtopics.findIndex(({ insights }) => insights.includes(fact));
      const at = subtopics.findIndex((line) => line.startsWith(OUTLINE.subtopics[Math.max(0, own)].name)) + 1;
      return { insight: place + 1, subtopic: foreign.includes(fact) ? 0 : at };
    });
    return { places };
  },
  article: (user, { lacking = [], telling }) => {
    const number = Number(/Write article (\d+)/.exec(user)?.[1]);
    const planned = listed(user, 'facts');
    const facts = planned.slice(lacking.includes(number) ? 1 : 0);
    const more = telling?.articles.includes(number) && !planned.includes(telling.fact) ? [telling.fact] : [];
    return [`Harbour report ${number}`, '', ...facts, ...more].join('\n');
  },
  chapter: (user, { slow }) => {
    const attempt = Number(/This is attempt (\d+)/.exec(user)?.[1] ?? 1);
    const isLost = (fact: string) => fact === slow?.fact && attempt <= slow.attempts;
    const [, chapter, number] = /Write chapter (\d+) of \d+ of conversation (\d+)/.exec(user) ?? [];
    return [
      `Hana: This is part ${chapter} of talk ${number}.`,
      ...listed(user, 'facts')
        .filter((fact) => !isLost(fact))
        .map((fact) => `Ivan: ${fact}`),
    ].join('\n');
  },
  find: (user, { isBlind = false }) => {
    if (isBlind) return { found: [] };
    const document = blocksOf(user, 'document')[0] ?? '';
    const found = listed(user, 'facts').flatMap((fact, place) =>
      document.includes(fact) ? [{ insight: place + 1, quote: fact }] : [],
    );
    return { found };
  },
  edit: (user, { areEditsInVain = false }) => {
    const lines = (blocksOf(user, 'document')[0] ?? '').split('\n');
    if (areEditsInVain) return [...lines, 'It was edited.'].join('\n');
    const [missing, extraneous] = user.split('Facts that it should not tell:').map((part) => listed(part, 'facts'));
    return [...lines.filter((line) => !extraneous.includes(line)), ...missing].join('\n');
  },
};

function listed(user: string, kind: string): string[] {
  const [block = ''] = blocksOf(user, kind);
  return [...block.matchAll(/^\d+\. (.+)$/gm)].map(([, line]) => line);
}

function blocksOf(user: string, kind: string): string[] {
  const fences = new RegExp(`<<<BEGIN ${kind} (\\w+)>>>\\n([\\s\\S]*?)\\n<<<END ${kind} \\1>>>`, 'g');
  return [...user.matchAll(fences)].map(([, , block]) => block);
}
