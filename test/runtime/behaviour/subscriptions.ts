import { expect } from 'vitest';
import type { Digest, Subscription } from '../../../src/contract/index.ts';
import { until } from '../../support/until.ts';
import { type Suite, told } from '../service.ts';
import { receiver } from './webhooks.ts';

const REPORT = 'The council approved a congestion charge of 4 euros. Residents pay half the charge.';
const STUDY = 'Residents pay half the charge. The study expects 2.5 million euros of revenue from the charge.';

/** Digests of what is new in a collection. */
export const subscriptions: Suite = (holds) => {
  holds('additions are told once, then only what is new, to a receiver that fails at first', async (service) => {
    const { ask, post, get, runtime } = service;
    const there = await receiver(service, (n) => ({ status: n === 0 ? 503 : 204, delay: 0 }));
    const { id: collection } = await told<{ readonly id: string }>(post('/v1/collections', {}), 201);
    const add = async (id: string, text: string) =>
      told(ask('PUT', `/v1/collections/${collection}/documents/${id}`, { text }), 201);
    const body = {
      collection,
      intent: 'What about the congestion charge?',
      selection: { size: { keyPoints: 12 }, relevance: { gate: null } },
      webhook: { url: there.url },
      sendEmpty: true,
    };
    const { id } = await told<Subscription>(post('/v1/subscriptions', body), 201);
    const run = async (last: string | null) =>
      until(
        'a digest',
        async () => {
          await runtime.everyMinute();
          const { lastDigest } = await told<Subscription>(get(`/v1/subscriptions/${id}`));
          return lastDigest === last ? null : lastDigest;
        },
        { every: 250 },
      );
    await add('report', REPORT);
    await add('weather', 'It rains.');
    const first = await run(null);
    await add('study', STUDY);
    const second = await run(first);
    const { documents } = await told<Digest>(get(`/v1/digests/${second}`));
    expect(documents.map(({ id: document, excluded }) => [document, excluded])).toEqual([
      ['report', 'known'],
      ['study', null],
      ['weather', 'known'],
    ]);
    await until(
      'the messages',
      async () => {
        await runtime.everyMinute();
        return new Set(there.received.filter(({ status }) => status === 204).map(({ digest }) => digest)).size === 2;
      },
      { every: 250 },
    );
    expect(there.received.map(({ digest }) => digest).sort()).toEqual([first, first, second].sort());
    expect(there.wrong).toEqual([]);
  });
};
