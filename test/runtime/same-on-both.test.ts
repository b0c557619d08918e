import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Digest } from '../../src/contract/index.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { answered } from '../support/promises.ts';
import { MANY_SCRIPTS } from './documents.ts';
import { startNode } from './node-runtime.ts';
import { type Order, type Service, serviceOver } from './service.ts';
import { startWorkerd } from './workerd-runtime.ts';

const ORDERS: readonly Order[] = [
  { documents: CITY, intent: CITY_INTENT },
  { documents: CITY },
  { documents: CITY.toReversed(), intent: CITY_INTENT, summary: { format: 'bullets' }, selection: { seed: 3 } },
  { documents: MANY_SCRIPTS, intent: '拥堵费' },
  { documents: [...CITY, ...MANY_SCRIPTS], selection: { size: { words: 60 }, kernel: { form: 'linear' } } },
  ...(['mmr', 'facility-location', 'dpp-map-exact', 'k-dpp', 'dpp-sample', 'random'] as const).map(
    (strategy): Order => ({
      documents: CITY,
      intent: CITY_INTENT,
      selection: { strategy, seed: 11, ...(strategy !== 'dpp-sample' && { size: { keyPoints: 5 } }) },
    }),
  ),
];

/** Requests that are answered with nothing that is of one run only, but for times and what was spent. */
const CALLS: readonly (readonly [path: string, body: unknown])[] = [
  ['/v1/key-points', { documents: MANY_SCRIPTS }],
  ['/v1/selections', { items: CITY.map(({ id, text }) => ({ id, text })), intent: CITY_INTENT }],
  [
    '/v1/selections',
    {
      kernel: [
        [2, 0.5],
        [0.5, 1],
      ],
      selection: { strategy: 'dpp-sample' },
      draws: 50,
    },
  ],
  ['/v1/digests', { documents: [{ id: 'a', text: 'half \ud800' }], surplus: 1 }],
  ['/v1/digests', '{'],
  ['/v1/evaluations', { metric: 'summhay', bullets: ['a'], insights: [{ id: 'a', text: 'b' }] }],
  ['/v1/collections', { name: '' }],
];

let services: readonly Service[];
beforeAll(async () => {
  services = (await Promise.all([startNode(), startWorkerd()])).map(serviceOver);
});
afterAll(() => Promise.all(services.map(({ runtime }) => runtime.close())));

/** What is answered, without what is of one run: times, and what was spent. */
async function saidBy({ post }: Service, path: string, body: unknown) {
  const response = await post(path, body);
  const { timings: _, usage: __, ...rest }: Partial<Digest> = Object(await response.json());
  return { status: response.status, type: response.headers.get('content-type'), body: rest };
}

test.each(ORDERS)('the same digest on both, case %#', async (order) => {
  const [node, workerd] = await Promise.all(services.map((service) => service.digest(order)));
  expect(node.summary.sentences.length).toBeGreaterThan(0);
  expect(answered(workerd)).toEqual(answered(node));
});

test.each(CALLS)('the same answer on both: %s, case %#', async (path, body) => {
  const [node, workerd] = await Promise.all(services.map((service) => saidBy(service, path, body)));
  expect(workerd).toEqual(node);
});

test('the same contract on both', async () => {
  const [node, workerd] = await Promise.all(services.map(async ({ get }) => (await get('/openapi.json')).text()));
  expect(workerd).toBe(node);
});
