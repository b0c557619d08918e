import { describe, expect, test } from 'vitest';
import { extractSentences } from '../../../src/text/index.ts';

const told = (text: string) => extractSentences(text).map(({ text, under }) => [text, ...(under ?? [])]);
const quotes = (text: string) => extractSentences(text).map(({ start, end }) => text.slice(start, end));

describe('tables', () => {
  test('of Markdown: a row is a key point, read with its header', () => {
    const text = `## Fees

| Plot | Price | Deposit |
|------|------:|---------|
| Small | 40 euros | 20 euros |
| **Large** | 80 euros | |`;
    expect(told(text)).toEqual([
      ['Plot: Small; Price: 40 euros; Deposit: 20 euros', 'Fees'],
      ['Plot: Large; Price: 80 euros', 'Fees'],
    ]);
    expect(quotes(text)).toEqual(['| Small | 40 euros | 20 euros |', '| **Large** | 80 euros | |']);
  });

  test.each([
    ['tabs', 'Room\tSeats\nBlue\t12\nGreen\t30'],
    ['gaps', 'Room   Seats  Floor\nBlue   12     1\nGreen  30     2'],
    ['bars', 'Room | Seats\nBlue | 12\nGreen | 30'],
    ['commas', 'Room,Seats,Floor\nBlue,12,1\nGreen,30,2'],
    ['semicolons', 'Room; Seats; Rent_2025\nBlue; 12; 1,5\nGreen; 30; 2,5'],
  ])('with %s', (_, text) => {
    expect(told(text).map(([row]) => row?.slice(0, 21))).toEqual(['Room: Blue; Seats: 12', 'Room: Green; Seats: 3']);
  });

  test('a comma within quotes is no divider, and one at the end is', () => {
    const long = `${'a remark that goes on, '.repeat(5)}and ends`;
    expect(told(`item_no,loans,note\nT-1,61,\nT-2,12,"not returned, paid"\nT-3,33,"${long}"`).flat()).toEqual([
      'item no: T-1; loans: 61',
      'item no: T-2; loans: 12; note: not returned, paid',
      `item no: T-3; loans: 33; note: ${long}`,
    ]);
  });

  test('a row of figures or of words with figures is no header', () => {
    expect(told('Blue;12;1\nGreen;30;2\nRed;5;3')[0]).toEqual(['Blue; 12; 1']);
    expect(told('Monday,3 guests,fish\nTuesday,4 guests,soup\nFriday,2 guests,rice')).toHaveLength(3);
  });

  test('prose with a bar or a comma is prose', () => {
    expect(told('The gate | the old one is green.')).toHaveLength(1);
    expect(told('We paid 1,200,000 for it.\nThey paid 1,300,000 for it.')).toHaveLength(2);
  });
});

describe('HTML', () => {
  const page = `<!DOCTYPE html>
<html><head><title>Rules</title><style>p { color: red }</style>
<script>document.write("<p>This script is no text at all.</p>");</script></head>
<body><nav><ul><li>Home page of the garden</li></ul></nav>
<header><h1>Garden&nbsp;rules</h1><p>Somebody has to sign in here first.</p></header>
<main><p>The garden opens in <b>May</b>, see <a href="a.html?x=1. B">the plan</a>. Dogs &amp; cats are <em>not</em>
welcome &mdash; H<sub>2</sub>O is free.</p>
<h2>What you may do</h2><ul><li>plant trees</li><li>keep bees<ul><li>two hives</li></ul></li></ul>
<h2>May I sublet?</h2><p>No. Not even for a season.</p>
<h2>Fees</h2><table><caption>Per year</caption><tr><th>Plot</th><th>Price</th></tr>
<tr><td>Small</td><td>40 euros</td></tr></table>
<dl><dt>Contact</dt><dd>Mr Fennimore, 555-0199</dd></dl></main>
<aside>Read about other gardens on the next page.</aside>
<footer><p>This footer is about the club.</p></footer></body></html>`;

  test('is read as a reader sees it', () => {
    expect(told(page)).toEqual([
      ['The garden opens in May, see the plan.', 'Garden rules'],
      ['Dogs & cats are not welcome — H2O is free.', 'Garden rules'],
      ['plant trees', 'Garden rules', 'What you may do'],
      ['keep bees', 'Garden rules', 'What you may do'],
      ['two hives', 'Garden rules', 'What you may do', 'keep bees'],
      ['No. Not even for a season.', 'Garden rules', 'May I sublet?'],
      ['Plot: Small; Price: 40 euros', 'Garden rules', 'Fees', 'Per year'],
      ['Mr Fennimore, 555-0199', 'Garden rules', 'Fees', 'Contact'],
    ]);
  });

  test('quotes stay exact, tags within them included', () => {
    expect(quotes(page)[0]).toBe('The garden opens in <b>May</b>, see <a href="a.html?x=1. B">the plan</a>.');
    expect(quotes(page)[6]).toBe('Small</td><td>40 euros');
  });

  test('a fragment, turns in paragraphs, lines by breaks', () => {
    expect(
      extractSentences(
        '<div><p><b>MH:</b> Why did you leave?</p><p><b>T:</b> The noise, to be blunt.</p><p><b>MH:</b> Thanks.</p></div>',
      ).map(({ speaker, text, under }) => [speaker, text, under]),
    ).toEqual([['T', 'The noise, to be blunt.', ['Why did you leave?']]]);
    expect(told('<html>The gate is green.<br><br>The shed is<br>blue and small.')).toEqual([
      ['The gate is green.'],
      ['The shed is blue and small.'],
    ]);
  });

  test.each([
    ['nothing closed', '<html><body><div><p>The gate is green.<p>The shed is blue.'],
    [
      'everything closed twice',
      '<html></p></div><p>The gate is green.</p></p></nav><p>The shed is blue.</p></p></html></html>',
    ],
    ['a header that never ends', '<html><header><p>The gate is green.</p><p>The shed is blue.</p>'],
    [
      'deep nesting',
      `<html>${'<div>'.repeat(10_000)}<p>The gate is green.</p>${'</div>'.repeat(5000)}The shed is blue.`,
    ],
    ['a cut tag', '<html><p>The gate is green.</p><p>The shed is blue.</p><a href="x'],
    ['a cut comment', '<html><p>The gate is green.</p><p>The shed is blue.</p><!-- <p>No.</p>'],
  ])('%s', (_, text) => {
    expect(told(text)).toEqual([['The gate is green.'], ['The shed is blue.']]);
  });

  test('prose about tags is no HTML', () => {
    expect(told('Write <p> for a paragraph and <b> for bold text. The rest is easy.')).toHaveLength(2);
    expect(told('<script> tags are dangerous and nobody should use them.')).toHaveLength(1);
  });
});
