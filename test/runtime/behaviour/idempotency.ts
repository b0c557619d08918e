import { expect } from 'vitest';
import { LATER, refusal, type Suite, told } from '../service.ts';
import { freshOrder } from './jobs.ts';

const STREAM = { accept: 'text/event-stream' };
const replayed = ({ headers }: Response) => headers.get('idempotent-replayed');

/** Requests that come again with their key. */
export const idempotency: Suite = (holds) => {
  for (const [kind, headers, status] of [
    ['waited for', {}, 201],
    ['made later', LATER, 202],
    ['streamed', STREAM, 200],
  ] as const) {
    holds(`a digest that is ${kind} is made once`, async ({ post }) => {
      const key = { ...headers, 'idempotency-key': `key-${kind.replace(' ', '-')}` };
      const order = freshOrder();
      const first = await post('/v1/digests', order, key);
      const body = await first.text();
      const again = await post('/v1/digests', order, key);
      expect([first.status, again.status]).toEqual([status, status]);
      expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
      expect(again.headers.get('location')).toBe(first.headers.get('location'));
      expect(await again.text()).toBe(body);
      await refusal(post('/v1/digests', freshOrder(), key), 422, 'idempotency-key-reused');
    });
  }

  holds('one that comes while the first is served is told so', async ({ post, runtime }) => {
    const key = { 'idempotency-key': 'key-in-flight' };
    const order = freshOrder();
    const before = runtime.ai.calls;
    runtime.ai.hold();
    const first = post('/v1/digests', order, key);
    while (runtime.ai.calls === before) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await post('/v1/digests', order, key);
    runtime.ai.release();
    await refusal(second, 409, 'idempotency-key-in-flight');
    await told(first, 201);
  });
};
