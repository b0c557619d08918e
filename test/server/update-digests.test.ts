import { describe, expect, test } from 'vitest';
import type { Digest } from '../../src/contract/index.ts';
import { type TestApp, testApp } from '../support/test-deps.ts';

const OLD = [
  { id: 'council', text: 'The council approved a congestion charge of 4 euros. Residents pay half the charge.' },
  { id: 'shops', text: 'Shopkeepers fear that the charge drives customers to the malls.' },
];
const NEW = {
  id: 'study',
  text: 'Residents pay half the charge. The study expects 2.5 million euros of revenue from the charge.',
};
const INTENT = 'What about the congestion charge?';

const EVERYTHING = { size: { keyPoints: 12 }, relevance: { gate: null } } as const;

/** A digest of everything, whatever is asked. */
async function digest({ post }: TestApp, body: object): Promise<Digest> {
  const selection = { ...EVERYTHING, ...('selection' in body ? (body.selection as object) : {}) };
  const response = await post('/v1/digests?include=receipts', { ...body, selection });
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as Digest;
}

const since = (id: string) => ({ problem: INTENT, background: { digest: id } });
const textsOf = ({ keyPoints }: Digest) => keyPoints.filter(({ selected }) => selected).map(({ text }) => text);
const statusOf = ({ documents }: Digest) =>
  Object.fromEntries(documents.map((each) => [each.id, [each.status, each.excluded]]));

describe('what is new since a digest', () => {
  test('leaves out the documents that it read, and what it told', async () => {
    const app = testApp();
    const first = await digest(app, { documents: OLD, intent: INTENT });
    expect(textsOf(first)).toContain('Residents pay half the charge.');
    const second = await digest(app, { documents: [...OLD, NEW], intent: since(first.id) });
    expect(statusOf(second)).toEqual({
      council: ['excluded', 'known'],
      shops: ['excluded', 'known'],
      study: ['ok', null],
    });
    expect(textsOf(second)).toEqual(['The study expects 2.5 million euros of revenue from the charge.']);
    const known = second.keyPoints.filter(({ reason }) => reason === 'known');
    expect(known.map(({ text, selected }) => [text, selected])).toEqual([['Residents pay half the charge.', false]]);
    expect(second.warnings.join(' ')).toContain(`2 documents were read for ${first.id} or before`);
  });

  test('goes back over all digests before it', async () => {
    const app = testApp();
    const first = await digest(app, { documents: OLD, intent: INTENT });
    const second = await digest(app, { documents: [NEW], intent: since(first.id) });
    const third = await digest(app, { documents: [...OLD, NEW], intent: since(second.id) });
    expect(third.keyPoints).toEqual([]);
    expect(third.summary.text).toBe('Nothing is new: every document was read for the earlier digest.');
    expect(third.warnings).toEqual([`Nothing is new: every document was read for ${second.id} or before.`]);
    const again = { id: 'letter', text: 'The council approved a congestion charge of 4 euros.' };
    const fourth = await digest(app, { documents: [again], intent: since(third.id) });
    expect(fourth.keyPoints.map(({ reason }) => reason)).toEqual(['known']);
    expect(fourth.summary.text).toBe('Nothing is new: what the new document says on it was in the earlier digest.');
  });
});
