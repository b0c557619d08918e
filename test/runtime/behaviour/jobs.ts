import { expect } from 'vitest';
import { STAGES } from '../../../src/contract/index.ts';
import { CITY } from '../../support/documents.ts';
import { eventsIn } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';
import { until } from '../../support/until.ts';
import { type Order, refusal, type Service, type Suite, told } from '../service.ts';

const STREAM = { accept: 'text/event-stream' };
/** More than a request of a Worker makes itself; blanks make no key points. */
const LARGE: Order = {
  documents: [...CITY, { id: 'blanks', text: ' '.repeat(420_000) }],
  intent: 'What is large?',
};

/** A digest that no test made before, so that the encoder is asked, and can be held. */
let made = 0;
export function freshOrder(): Order {
  const n = ++made;
  const text = `Tram line ${n} will connect the station with stop ${n}. It costs ${n + 3} million euros. Residents ask for stop ${n} to be moved.`;
  return { documents: [{ id: 'notes', text }, CITY[0]], intent: `What will line ${n} change?` };
}

const statusOf = async ({ get }: Service, id: string) =>
  (await told<{ status: string }>(get(`/v1/digests/${id}`))).status;

/** Digests that are made later, or told of while they are made. */
export const jobs: Suite = (holds) => {
  holds('a digest that nobody waits for is made, and is the one that is waited for', async (service) => {
    const own = freshOrder();
    const id = await service.submit(own);
    const later = await service.ended(id);
    expect(later.id).toBe(id);
    expect(answered(later)).toEqual(answered(await service.digest(own)));
  });

  holds('a stream tells everything in order, and is gone on with from any event', async ({ post, get }) => {
    const response = await post('/v1/digests', freshOrder(), STREAM);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const all = eventsIn(await response.text());
    expect(all.map(({ id }) => id)).toEqual(all.map((_, i) => i + 1));
    const kinds = all.map(({ event }) => event);
    expect(kinds[0]).toBe('accepted');
    expect(kinds.at(-1)).toBe('digest');
    const stages = all.filter(({ event }) => event === 'progress').map(({ data }) => Object(data).stage);
    expect([...new Set(stages)]).toEqual(STAGES.filter((stage) => stages.includes(stage)));
    expect(new Set(stages).size).toBeGreaterThan(2);
    expect(kinds.indexOf('sentence')).toBeGreaterThan(kinds.lastIndexOf('progress') - kinds.length);
    const path = `/v1/digests/${Object(all.at(-1)?.data).id}`;
    expect(response.headers.get('location')).toBe(path);
    for (const last of [0, 1, all.length - 1]) {
      const rest = eventsIn(await (await get(path, { ...STREAM, 'last-event-id': String(last) })).text());
      expect(rest).toEqual(all.slice(last));
    }
  });

  holds('a digest under way is cancelled, and stays so', async (service) => {
    const { ai } = service.runtime;
    ai.hold();
    const id = await service.submit(freshOrder());
    await until('the encoder', async () => (await statusOf(service, id)) === 'running').finally(() => {});
    expect(await told(service.ask('DELETE', `/v1/digests/${id}`))).toMatchObject({ id, status: 'cancelled' });
    ai.release();
    const all = eventsIn(await (await service.get(`/v1/digests/${id}`, STREAM)).text());
    expect(all.at(-1)?.event).toBe('cancelled');
    await service.digest(freshOrder());
    expect(await statusOf(service, id)).toBe('cancelled');
    expect((await service.ask('DELETE', `/v1/digests/${id}`)).status).toBe(204);
    expect((await service.get(`/v1/digests/${id}`)).status).toBe(404);
  });

  holds('a large digest is made as well, for who waits and for who does not', async (service) => {
    const waited = await service.digest(LARGE);
    expect(waited.documents.find(({ id }) => id === 'blanks')).toMatchObject({ status: 'empty' });
    const later = await service.ended(await service.submit(LARGE));
    expect(answered(later)).toEqual(answered(waited));
    const events = eventsIn(await (await service.post('/v1/digests', LARGE, STREAM)).text());
    expect(answered(Object(events.at(-1)?.data))).toEqual(answered(waited));
  });

  holds('a digest whose encoder is out of order for a while is made in the end', async (service) => {
    const { ai } = service.runtime;
    // Three attempts of a call and the next attempt of the job.
    for (let i = 0; i < 3; i++) ai.failOnce('3040: Capacity temporarily exceeded, please try again.');
    const own: Order = { documents: [{ id: 'a', text: `The dam ${++made} holds. It is inspected each spring.` }] };
    const id = await service.submit(own);
    expect((await service.ended(id)).status).toBe('completed');
  });

  holds('a digest that failed for good is listed with why, and is made when it is retried', async (service) => {
    const { runtime, get, post } = service;
    const own = freshOrder();
    runtime.ai.failFor(own.documents[0].text.slice(0, 20), '3043: Internal server error');
    const failure = await refusal(post('/v1/digests', own), 502).finally(() => runtime.ai.mend());
    const { digests } = await told<{ digests: { id: string; status: string; intent: string; error?: object }[] }>(
      get('/v1/digests?status=failed&limit=1'),
    );
    expect(digests).toMatchObject([{ status: 'failed', intent: own.intent, error: failure }]);
    const [{ id }] = digests;
    expect(await told(get(`/v1/digests/${id}`))).toMatchObject({ id, status: 'failed', error: failure });
    const again = await post(`/v1/digests/${id}/retry`);
    expect([again.status, again.headers.get('location')]).toEqual([202, `/v1/digests/${id}`]);
    expect(answered(await service.ended(id))).toEqual(answered(await service.digest(own)));
    await refusal(post(`/v1/digests/${id}/retry`), 409, 'digest-not-failed');
    const events = eventsIn(await (await get(`/v1/digests/${id}`, STREAM)).text());
    expect(events.map((event) => event.id)).toEqual(events.map((_, i) => i + 1));
    expect(events.filter(({ event }) => !/progress|sentence/.test(event)).map(({ event }) => event)).toEqual([
      'accepted',
      'accepted',
      'digest',
    ]);
  });

  holds('a caller who hangs up cancels what they waited for', async (service) => {
    const { ai } = service.runtime;
    const own = { ...freshOrder(), intent: 'Who hangs up?' };
    ai.hold();
    const before = ai.calls;
    const gone = new AbortController();
    const asked = service.runtime
      .fetch('/v1/digests', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(own),
        signal: gone.signal,
      })
      .catch(() => null);
    await until('the encoder to be asked', () => ai.calls > before);
    const listed = async () =>
      (await told<{ digests: { id: string; status: string }[] }>(service.get('/v1/digests?limit=1'))).digests[0];
    const { id } = await listed();
    gone.abort();
    try {
      await until('its end', async () => (await service.get(`/v1/digests/${id}`)).status === 404, { within: 1500 });
    } finally {
      ai.release();
      await asked;
    }
  });
};
