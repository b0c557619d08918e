import { describe, expect, test } from 'vitest';
import { foreignIn, plainText, sentenceText } from '../../../src/summary/index.ts';
import type { Verifier } from '../../../src/summary/verify/judge-twice.ts';
import { shown } from '../../support/fake-stage-model.ts';
import { inputOf } from '../points.ts';
import { pointsShown, rewriting } from '../rewrite/rewriting.ts';
import { ALIKE, HONEST, PAYLOADS, QUOTE, QUOTED } from './payloads.ts';

const OTHER = 'The mayor plans to keep the charge until 2030.';
const MODES: readonly Verifier['mode'][] = ['judge', 'rules', 'off'];
/** A judge that was talked over. */
const yes = async (claims: readonly unknown[]) => claims.map(() => ({ supported: true, wrong: '', idle: [] }));

function write(text: string, mode: Verifier['mode'], quote = QUOTE, again = '') {
  const input = inputOf([
    { text: quote, document: 'a' },
    { text: OTHER, document: 'b' },
  ]);
  const script = (call: Parameters<typeof shown>[0], index: number) => {
    if (index > 0) return again;
    const numbers = pointsShown(shown(call));
    return text.replaceAll('[A]', `[${numbers.get(quote)}]`).replaceAll('[B]', `[${numbers.get(OTHER)}]`);
  };
  return rewriting(input, script, { mode, judge: yes, keepsDraft: true });
}

describe.each(MODES)('what stands in no quote does not get in: %s', (mode) => {
  test.each(PAYLOADS)('%j', async (payload, forbidden) => {
    const { summary, report } = await write(`${payload}. [A]\n\nThe mayor will keep the charge. [B]`, mode);
    expect(JSON.stringify(summary).toLowerCase()).not.toContain(forbidden.toLowerCase());
    for (const { text } of summary.sentences) expect(foreignIn(text, [QUOTE, OTHER])).toBeNull();
    expect(summary.sources).toHaveLength(2);
    expect(report.draft).toContain(payload);
  });

  test.each(PAYLOADS)('as the title of a list, or in it: %j', async (payload, forbidden) => {
    const title = `${payload.slice(0, 40)}:`;
    const { summary } = await write(`${title}\n- Traffic fell. ${payload}. [A]\n- The charge stays. [B]`, mode);
    const labels = summary.sentences.flatMap(({ label }) => label ?? []);
    expect(labels.map((label) => foreignIn(label, []))).toEqual(labels.map(() => null));
    expect(summary.text.toLowerCase()).not.toContain(forbidden.toLowerCase());
  });
});

describe('an honest sentence stands', () => {
  test.each(HONEST)('%j', async (text) => {
    expect(foreignIn(text, [])).toBeNull();
    const { report } = await write(`- ${text} [A]`, 'judge');
    expect(report).toMatchObject({ foreign: 0, replaced: 0, uncited: 0, judged: report.drafted });
  });

  test.each(QUOTED)('%j by the quote %j', async (text, quote) => {
    expect(foreignIn(text, [quote])).toBeNull();
    expect(foreignIn(text, [])).not.toBeNull();
    const { report } = await write(`${text} [A]`, 'judge', quote);
    expect(report).toMatchObject({ foreign: 0, replaced: 0 });
  });
});

test.each(ALIKE)('%j does not stand by the quote %j', (text, quote) => {
  expect(foreignIn(text, [quote])).not.toBeNull();
});

test('it is asked for again without it, and counted', async () => {
  const again = `1: Traffic fell by 18 percent. [1]`;
  const { summary, report, stage } = await write(
    'Traffic fell by 18 percent, see evil.example. [A]',
    'judge',
    QUOTE,
    again,
  );
  expect(shown(stage.calls[1])).toContain('Not borne out: evil.example');
  expect(summary.text).toContain('Traffic fell by 18 percent. [1]');
  expect(report).toMatchObject({ foreign: 1, askedAgain: 1, mended: 1, judged: 0 });
});

test('what is written again with another is not let in either', async () => {
  const again = '1: Traffic fell by 18 percent, see evil.com. [1]';
  const { summary, report } = await write('Traffic fell, see evil.example. [A]', 'judge', QUOTE, again);
  expect(summary.text).toContain(`${QUOTE} [1]`);
  expect(report).toMatchObject({ foreign: 1, askedAgain: 1, mended: 0, judged: 0, replaced: 1 });
});

test('a speaker, a heading or a question that holds it is not put before a sentence', () => {
  const point = { text: 'It fell.', quote: { text: 'It fell.' }, selfContained: 0.1 };
  expect(sentenceText({ ...point, speaker: 'Bob at evil.example' })).toBe('It fell.');
  expect(sentenceText({ ...point, speaker: 'Bob' })).toBe('Bob: It fell.');
  expect(sentenceText({ ...point, under: ['Pay at http://evil.example'] })).toBe('It fell.');
  expect(sentenceText({ ...point, under: ['Who pays at evil.example?'] })).toBe('It fell.');
  expect(sentenceText({ ...point, under: ['Sales'] })).toBe('Sales: It fell.');
});

test('characters that act and cannot be seen are taken out of any wording', () => {
  expect(plainText('a\u202eb\u061c\u00ad\u{e0041}\u0085\u009b31m\u001bc')).toBe('ab 31mc');
});

test('every line of a text cites but the title of a list, which is held with what stands under it', async () => {
  const { summary } = await write('Still open:\n- Traffic fell. [A]\n- The charge stays. [B]', 'judge');
  expect(summary.text).toBe('Still open:\n- Traffic fell. [1]\n- The charge stays. [2]');
});
