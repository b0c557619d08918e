import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readJson } from '../../../src/models/language/read-answer.ts';

const points = z.object({ points: z.array(z.object({ text: z.string() })) });
const VALUE = { points: [{ text: 'Trams [run] at "night".' }] };
const JSON_TEXT = JSON.stringify(VALUE);

test.each([
  ['nothing else', JSON_TEXT],
  ['white space', ` \n${JSON.stringify(VALUE, null, 2)}\n `],
  ['prose around it', `Sure! Here it is:\n${JSON_TEXT}\nI hope that this helps.`],
  ['a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ['a fence without a name, in prose', `The answer:\n\`\`\`\n${JSON_TEXT}\n\`\`\`\nThat is all.`],
  ['a fence that is not closed', `\`\`\`json\n${JSON_TEXT}`],
  ['brackets in the prose', `As [you] asked {again}: ${JSON_TEXT} [end]`],
  ['a bracket in the prose that is not closed', `As I [think: ${JSON_TEXT}`],
  ['other JSON before it', `{"plan": "list them"} and then ${JSON_TEXT}`],
  ['thoughts before it', `<think>Maybe {"points": []}?</think>\n${JSON_TEXT}`],
  ['trailing commas', '{"points": [{"text": "Trams [run] at \\"night\\".",},],}'],
  ['single quotes and bare keys', `{points: [{text: 'Trams [run] at "night".'}]}`],
  ['comments', `{"points": [ // the first\n{"text": "Trams [run] at \\"night\\"."}]}`],
])('reads JSON with %s', (_, answer) => {
  expect(readJson(answer, points)).toEqual({ value: VALUE });
});

test('JSON that is cut is read as far as it goes', () => {
  const cut = '{"points": [{"text": "Trams run."}, {"text": "Buses r';
  const value = { points: [{ text: 'Trams run.' }, { text: 'Buses r' }] };
  expect(readJson(cut, points)).toEqual({ value });
  expect(readJson(`Here:\n\`\`\`json\n${cut}`, points)).toEqual({ value });
});

test.each([
  ['', 'it holds no JSON'],
  ['I cannot do that.', 'it holds no JSON'],
  ['42', 'it holds no JSON'],
])('says of %j that there is no JSON', (answer, problem) => {
  expect(readJson(answer, points)).toEqual({ problem });
});

test('says what is wrong with JSON of another schema, in one line', () => {
  const read = readJson('{"points": [{"text": 3}]}', points);
  expect(read).toEqual({ problem: expect.stringMatching(/expected string, received number.*points\[0\]\.text/) });
  expect('problem' in read && read.problem).not.toContain('\n');
  expect(readJson('{"point": []}', points)).toEqual({ problem: expect.stringContaining('points') });
});

test('any JSON is read back from between prose', () => {
  const any = z.strictObject({ it: z.unknown() });
  const prose = fc.stringMatching(/^[a-z ,.:!'()`-]{0,40}$/);
  fc.assert(
    fc.property(fc.jsonValue(), prose, prose, fc.boolean(), (it, before, after, isPretty) => {
      const text = JSON.stringify({ it }, null, isPretty ? 2 : undefined);
      expect(readJson(`${before}\n${text}\n${after}`, any)).toEqual({ value: JSON.parse(text) });
    }),
  );
});

test('no answer makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\`a1 \n') }), (answer) => {
      const read = readJson(answer, z.unknown());
      expect('value' in read || read.problem !== '').toBe(true);
    }),
    { numRuns: 500 },
  );
});

const list = z.object({ items: z.array(z.unknown()) });

test.each([
  ['{"items": ["one", "two", "thr', ['one', 'two']],
  ['{"items": [{"a": 1, "b": ["x", "y"]}, {"a": 2, "b": ["x", "y', [{ a: 1, b: ['x', 'y'] }]],
  ['{"items": ["one, [two]", "three', ['one, [two]']],
  ['```json\n{"items": ["one", "tw', ['one']],
  ['{"items": ["one", "two"]}', ['one', 'two']],
  [`{items: ['one', 'two',]}`, ['one', 'two']],
])('of a list that is cut the items that ended count, where that is wanted: %s', (answer, items) => {
  expect(readJson(answer, list, true)).toEqual({ value: { items } });
});

test.each([
  ['quotes that never end', `{"points":[{"text":"${'"a'.repeat(500_000)}`],
  ['brackets', '['.repeat(1_000_000)],
  ['fences', '```json\n{'.repeat(100_000)],
])('a megabyte of %s is no answer, and is not repaired as a whole', (_, answer) => {
  expect(readJson(answer, points)).toHaveProperty('problem');
});

test('of a long list that is careless or cut the items that can be read count', () => {
  const items = Array.from({ length: 400 }, (_, n) => `{"text": "Tram ${n} runs every ten minutes at night."}`);
  items[3] = '{text: "Tram 3 runs.",}';
  const cut = `{"points": [${items.join(', ')}, {"text": "Bus`;
  expect(cut.length).toBeGreaterThan(8000);
  const read = readJson(cut, points);
  const texts = 'value' in read ? read.value.points.map(({ text }) => text) : [];
  expect(texts).toHaveLength(400);
  expect(texts[3]).toBe('Tram 3 runs.');
});
