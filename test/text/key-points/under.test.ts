import { describe, expect, test } from 'vitest';
import { extractSentences, sentences } from '../../../src/text/index.ts';

const told = (text: string) => extractSentences(text).map(({ text, under }) => [text, ...(under ?? [])]);
const points = (text: string) =>
  extractSentences(text).map(({ start, end, ...point }) => ({ ...point, quote: text.slice(start, end) }));

describe('a long lead-in', () => {
  const lead = 'You may hand on a changed copy of the program if all of these hold:';

  test('is one key point with a list that is short', () => {
    const text = `Terms\n\n${lead}\n\n- it says that it was changed;\n- it stays under this licence.\n\nNobody owes you a warranty for it.`;
    expect(points(text).map(({ text, quote }) => [text, quote])).toEqual([
      [
        `${lead} it says that it was changed; it stays under this licence.`,
        `${lead}\n\n- it says that it was changed;\n- it stays under this licence.`,
      ],
      ['Nobody owes you a warranty for it.', 'Nobody owes you a warranty for it.'],
    ]);
  });
});

describe('headings', () => {
  test('of Markdown make a hierarchy, however close the text stands', () => {
    expect(
      told(`# Garden rules
The garden opens in May every year.
## Fees
A plot costs 40 euros.
### Refunds
Nobody gets the deposit back in winter.
## Water
The tap is turned off in November.`),
    ).toEqual([
      ['The garden opens in May every year.', 'Garden rules'],
      ['A plot costs 40 euros.', 'Garden rules', 'Fees'],
      ['Nobody gets the deposit back in winter.', 'Garden rules', 'Fees', 'Refunds'],
      ['The tap is turned off in November.', 'Garden rules', 'Water'],
    ]);
  });

  test('underlined, in capitals, numbered, or short above a paragraph', () => {
    expect(told('Fees\n----\nA plot costs 40 euros.\n\nKeys\n====\nA key costs 12 euros.')).toEqual([
      ['A plot costs 40 euros.', 'Fees'],
      ['A key costs 12 euros.', 'Keys'],
    ]);
    expect(
      told(`GARDEN RULES

2. Water
The tap is turned off in November.

3. Keys
- One key for each plot
- A lost key costs 12 euros

WHEN IT SNOWS

Opening hours
The gate opens at eight and closes at dusk.`),
    ).toEqual([
      ['The tap is turned off in November.', 'GARDEN RULES', 'Water'],
      ['One key for each plot', 'GARDEN RULES', 'Keys'],
      ['A lost key costs 12 euros', 'GARDEN RULES', 'Keys'],
      ['The gate opens at eight and closes at dusk.', 'GARDEN RULES', 'WHEN IT SNOWS', 'Opening hours'],
    ]);
  });
});

describe('lists', () => {
  test('terse items stand under what leads into them', () => {
    expect(
      told(`You may keep the following on a plot:
- bees
- hens, at most four
  - no cocks

Ask the board before you bring anything else.`),
    ).toEqual([
      ['bees', 'You may keep the following on a plot'],
      ['hens, at most four', 'You may keep the following on a plot'],
      ['no cocks', 'You may keep the following on a plot', 'hens, at most four'],
      ['Ask the board before you bring anything else.'],
    ]);
  });

  test('a title that stood directly above a list ends with it', () => {
    expect(
      told(`Dates and duties of members

What to bring
- a spade
- gloves

Parking: There are only six places behind the shed.`),
    ).toEqual([
      ['a spade', 'Dates and duties of members', 'What to bring'],
      ['gloves', 'Dates and duties of members', 'What to bring'],
      ['Parking: There are only six places behind the shed.', 'Dates and duties of members'],
    ]);
  });

  test('the same item under two heads is two key points', () => {
    expect(told('Allowed:\n- small fires\n\nForbidden in summer:\n- small fires')).toEqual([
      ['small fires', 'Allowed'],
      ['small fires', 'Forbidden in summer'],
    ]);
  });
});

describe('labels', () => {
  test('a line with a label keeps it; later sentences stand under it', () => {
    const found = points(`Version: 3.2
Owner: Garden board (Ines Calloway)

Deposit: 20 euros. The board pays it back in November. Nobody pays it twice.`);
    expect(found).toEqual([
      { quote: 'Version: 3.2', text: 'Version: 3.2', selfContained: 0.7 },
      {
        quote: 'Owner: Garden board (Ines Calloway)',
        text: 'Owner: Garden board (Ines Calloway)',
        selfContained: 0.7,
      },
      { quote: 'Deposit: 20 euros.', text: 'Deposit: 20 euros.', selfContained: 0.7 },
      {
        quote: 'The board pays it back in November.',
        text: 'The board pays it back in November.',
        selfContained: 1,
        under: ['Deposit'],
      },
      { quote: 'Nobody pays it twice.', text: 'Nobody pays it twice.', selfContained: 1, under: ['Deposit'] },
    ]);
  });

  test('labels that open paragraphs go with the sentence after them', () => {
    expect(
      told(`Safety. Two people fell on the wet path in March. A rail is planned.

Costs. The rail costs 900 euros. The town pays half of it.`),
    ).toEqual([
      ['Safety. Two people fell on the wet path in March.'],
      ['A rail is planned.', 'Safety'],
      ['Costs. The rail costs 900 euros.'],
      ['The town pays half of it.', 'Costs'],
    ]);
  });
});

describe('questions and answers', () => {
  test('a condition stays with the short answer that it qualifies', () => {
    const text = 'May I sublet?\nNo. You share the plot. If the board agrees, yes. The form is on the board.';
    expect(points(text).map(({ text }) => text)).toEqual([
      'No. You share the plot. If the board agrees, yes.',
      'The form is on the board.',
    ]);
  });

  test('so does a short sentence with a pronoun', () => {
    const text = 'May I sublet?\nNo. You share the plot. It is small.';
    expect(points(text).map(({ text }) => text)).toEqual(['No. You share the plot. It is small.']);
  });

  test('labelled: the question is no key point, and stands above the answer', () => {
    const text = `Q: May I sublet my plot? I am away until June.
A: No. You may lend it to a friend.

Q: Do pensioners get the discount?
A: Yes, in full.

The board meets on the first Monday of each month.`;
    expect(points(text)).toEqual([
      {
        quote: 'No. You may lend it to a friend.',
        text: 'No. You may lend it to a friend.',
        selfContained: 0.5,
        under: ['May I sublet my plot? I am away until June'],
      },
      {
        quote: 'Yes, in full.',
        text: 'Yes, in full.',
        selfContained: 0.5,
        under: ['Do pensioners get the discount?'],
      },
      {
        quote: 'The board meets on the first Monday of each month.',
        text: 'The board meets on the first Monday of each month.',
        selfContained: 1,
      },
    ]);
  });

  test('as lines of their own and as headings', () => {
    const text = `How much of the fee is refunded?
About 40 %.

## May I bring a dog?

Only on a lead.`;
    expect(told(text)).toEqual([
      ['About 40 %.', 'How much of the fee is refunded?'],
      ['Only on a lead.', 'May I bring a dog?'],
    ]);
  });

  test('in an interview: the next speaker answers, nobody else', () => {
    const found = extractSentences(`MH: What made you leave the club?
T: The noise, to be blunt.
MH: And would you come back?
T: Perhaps.  In a quieter year, yes.
MH: The club has moved to a quieter street.`);
    expect(found.map(({ speaker, text, under, selfContained }) => [speaker, text, under, selfContained])).toEqual([
      ['T', 'The noise, to be blunt.', ['What made you leave the club?'], expect.any(Number)],
      ['T', 'Perhaps. In a quieter year, yes.', ['And would you come back?'], 0.5],
      ['MH', 'The club has moved to a quieter street.', undefined, 1],
    ]);
  });

  test('where people talk, only a question of some words counts, and small answers are left out', () => {
    const found = extractSentences(`Ann: Um , what does the the new case cost us per piece ?
Bob: {vocalsound} Well , um it costs four Euro and fifty cents .
Ann: Okay ?
Bob: Yeah .`);
    expect(found.map(({ text, under }) => [text, under])).toEqual([
      ['It costs four Euro and fifty cents.', ['What does the new case cost us per piece?']],
    ]);
  });
});

test('what it stands under is bounded: the innermost is kept', () => {
  const text = ['#', '##', '###', '####', '#####', '######'].map((sign, n) => `${sign} Part ${n}`).join('\n\n');
  expect(told(`${text}\n\nThe gate is green.`)[0]).toEqual([
    'The gate is green.',
    'Part 2',
    'Part 3',
    'Part 4',
    'Part 5',
  ]);
  const long = `# ${'long '.repeat(30)}\n\n## ${'more '.repeat(30)}\n\n### Short\n\nThe gate is green.`;
  expect(told(long)[0]).toEqual(['The gate is green.', 'more '.repeat(30).trim(), 'Short']);
});

test('the first sentences of each turn answer the question before it', () => {
  const said = (what: string) =>
    Array.from({ length: 7 }, (_, i) => `${what} number ${i} of the town is open.`).join(' ');
  const text = ['park', 'pool'].map((what) => `Ana: Which ${what} is open now?\nBob: ${said(what)}`).join('\n');
  const answers = sentences(text).flatMap((sentence) => (sentence.asks ? [] : [sentence.answers]));
  const each = [...Array(5).fill(true), false, false];
  expect(answers).toEqual([...each, ...each]);
});
