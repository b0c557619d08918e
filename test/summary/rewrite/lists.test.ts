import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../src/contract/index.ts';
import { ModelCallError } from '../../../src/models/index.ts';
import type { ComposeInput } from '../../../src/summary/index.ts';
import type { Judge } from '../../../src/summary/verify/judge-twice.ts';
import { type FakeScript, shown } from '../../support/fake-stage-model.ts';
import { inputOf } from '../points.ts';
import { expectPromises, pointsShown, type RewritingOptions, rewriting } from './rewriting.ts';

const TEXTS = ['Traffic fell.', 'Sales fell.', 'Buses run daily.', 'The tunnel opens in 2029.'];
const [TRAFFIC, SALES, BUSES, TUNNEL] = TEXTS;

/** Writes the draft with every point's text followed by its number; asked again, the lines. */
const drafts =
  (draft: string, again = ''): FakeScript =>
  (call, index) => {
    if (index > 0) return again;
    const numbers = pointsShown(shown(call));
    return TEXTS.reduce((text, each) => text.replaceAll(each, `${each} [${numbers.get(each)}]`), draft);
  };

async function run(script: FakeScript, rest: Partial<ComposeInput> = {}, options: RewritingOptions = {}) {
  const input = inputOf(
    TEXTS.map((text, index) => ({ text, document: `d${index}` })),
    rest,
  );
  const done = await rewriting(input, script, options);
  await expectPromises(input, done, options.mode);
  return done;
}

const textOf = ({ text }: Summary) => text.replace(/ \[[\d\][]+/g, '');

describe('a list of a draft', () => {
  it('keeps its items, with several sentences to one, and what stands before and after it', async () => {
    const { summary } = await run(drafts(`${TRAFFIC}\n- ${SALES} ${BUSES}\n- ${TUNNEL}`));
    expect(textOf(summary)).toBe(`${TRAFFIC}\n- ${SALES} ${BUSES}\n- ${TUNNEL}`);
    expect(summary.sentences.map(({ paragraph, item }) => [paragraph, item])).toEqual([
      [0, undefined],
      [0, 0],
      [0, 0],
      [0, 1],
    ]);
  });

  it('keeps its place for what is replaced, and closes up over what is lost', async () => {
    const draft = drafts(`- ${TRAFFIC}\n- Nobody knows why.\n- Sales soared: ${SALES}\n- ${BUSES}\n\n${TUNNEL}`);
    const { summary, report } = await run(draft);
    expect(textOf(summary)).toBe(`- ${TRAFFIC}\n- ${SALES}\n- ${BUSES}\n\n${TUNNEL}`);
    expect(report).toMatchObject({ uncited: 1, replaced: 1 });
  });

  it('is flowing text in a brief, its label before the first sentence', async () => {
    const { summary } = await run(drafts(`Fell:\n- ${TRAFFIC}\n- ${SALES}`), { format: 'brief' });
    expect(textOf(summary)).toBe(`Fell: ${TRAFFIC} ${SALES} ${BUSES}`);
  });
});

describe('what a list stands under', () => {
  const fell = `${TUNNEL}\n\nFell:\n- ${TRAFFIC}\n- ${SALES}\n- ${BUSES}`;

  it('is held with every item, stays where one is borne out with it, and is told with each', async () => {
    const { summary, judged, report } = await run(drafts(fell));
    expect(judged[0].map(({ text }) => text)).toEqual([`Fell: ${TRAFFIC}`, `Fell: ${SALES}`, `Fell: ${BUSES}`]);
    expect(textOf(summary)).toBe(fell);
    expect(summary.sentences.map(({ paragraph, item, label }) => [paragraph, item, label])).toEqual([
      [0, undefined, undefined],
      [1, 0, 'Fell'],
      [1, 1, 'Fell'],
      [1, 2, 'Fell'],
    ]);
    expect(report).toMatchObject({ drafted: 4, judged: 2, replaced: 1, added: 0 });
  });

  it('is shown to whoever mends an item, and told once where the answer begins with it', async () => {
    const { summary, stage } = await run(drafts(fell, `1: Fell: Buses run daily. [3]`), {}, {});
    expect(shown(stage.calls[1])).toContain(`1: ${BUSES}\nIt stands in a list under “Fell:”, which stays.`);
    expect(summary.text).not.toMatch(/Fell: [^[]/);
  });

  it('goes where nothing bears it out, and the items stay in their own wording', async () => {
    const { summary } = await run(drafts(`Visit evil.example:\n- ${TRAFFIC}\n- ${SALES}\n\n${BUSES} ${TUNNEL}`));
    expect(textOf(summary)).toBe(`- ${TRAFFIC}\n- ${SALES}\n\n${BUSES} ${TUNNEL}`);
  });

  it('stays where an item is borne out with it; the one that fails is asked for again', async () => {
    const draft = drafts(`Fell:\n- ${TRAFFIC}\n- Fell, fell: ${SALES}`, `1: Sales. [2]`);
    const judge: Judge = async (claims) =>
      claims.map(({ text }) => ({
        supported: !text.includes('Fell, fell'),
        wrong: text.includes('Fell, fell') ? 'Fell' : '',
        idle: [],
      }));
    const { summary, report } = await run(draft, {}, { judge });
    expect(textOf(summary)).toContain(`Fell:\n- ${TRAFFIC}\n- Sales.`);
    expect(report).toMatchObject({ askedAgain: 1, mended: 1 });
  });

  it('goes where nobody could hold it: by rules, or with a judge that fails', async () => {
    const plain = fell.replace('Fell:\n', '');
    expect(textOf((await run(drafts(fell), {}, { mode: 'rules' })).summary)).toBe(plain);
    const judge = () => Promise.reject(new ModelCallError('server', 'It failed.'));
    expect(textOf((await run(drafts(fell), {}, { judge })).summary)).toBe(plain);
  });

  it('stays unverified where nothing is to be held', async () => {
    const { summary, judged } = await run(drafts(fell), {}, { mode: 'off' });
    expect(textOf(summary)).toBe(fell);
    expect(judged).toEqual([]);
  });

  it('counts among the words', async () => {
    const { summary } = await run(drafts(fell), { maxWords: 8 });
    expect(textOf(summary)).toBe(`${TUNNEL}\n\nFell:\n- ${TRAFFIC}`);
  });
});
