import { expect, test } from 'vitest';
import { NotFoundError } from '../../src/client/client.ts';
import { type Client, ConnectionError, type DigestEvent, DigestFailedError } from '../../src/client/index.ts';
import { type FollowOnOptions, followOn } from '../../src/page/reading/follow-on.ts';

const ACCEPTED: DigestEvent = { event: 'accepted', id: 1, data: { id: 'dig_1', location: '/v1/digests/dig_1' } };
const END = { event: 'digest', id: 4, data: { id: 'dig_1' } } as DigestEvent; // as much of one as is looked at
const progress = (id: number): DigestEvent => ({
  event: 'progress',
  id,
  data: { stage: 'extract', done: id, total: 9 },
});
const broken = (): Error => new ConnectionError('it broke');

/** A client whose streams tell events one after the other, and end with a failure where there is one; the last is told again. */
function scripted(...streams: readonly (readonly (DigestEvent | Error)[])[]) {
  const calls: string[] = [];
  async function* notify(call: string): AsyncGenerator<DigestEvent, void, undefined> {
    const events = streams[Math.min(calls.push(call), streams.length) - 1];
    for (const event of events) {
      if (event instanceof Error) throw event;
      yield event;
    }
  }
  const digests: Pick<Client['digests'], 'follow'> = { follow: (id) => notify(`follow ${id}`) };
  return { digests, calls };
}

/** What comes of it: events, words of the connection, and what it ends with. */
async function told(digests: Pick<Client['digests'], 'follow'>, options: Partial<FollowOnOptions> = {}) {
  const seen: unknown[] = [];
  const { signal } = new AbortController();
  const onConnection = (isBroken: boolean): void => void seen.push(isBroken ? 'broken' : 'back');
  try {
    for await (const { id } of followOn(digests, 'dig_1', { signal, onConnection, between: 1, ...options })) {
      seen.push(id);
    }
  } catch (failure) {
    seen.push(failure);
  }
  return seen;
}

test('a digest is followed on over a restart of the service, and tells nothing twice', async () => {
  const { digests, calls } = scripted(
    [ACCEPTED, progress(2), broken()],
    [broken()],
    [ACCEPTED, progress(2), progress(3), END],
  );
  expect(await told(digests)).toEqual([1, 2, 'broken', 'back', 3, 4]);
  expect(calls).toEqual(['follow dig_1', 'follow dig_1', 'follow dig_1']);
});

test.each([new DigestFailedError('dig_1', null), new NotFoundError('gone')])(
  'it ends with what does not pass: $name',
  async (failure) => {
    const { digests } = scripted([ACCEPTED, failure]);
    expect(await told(digests)).toEqual([1, failure]);
  },
);

test('a service that stays away is given up in the end', async () => {
  const { digests, calls } = scripted([ACCEPTED, broken()], [broken()]);
  expect(await told(digests, { patience: 20 })).toEqual([1, 'broken', expect.any(ConnectionError)]);
  expect(calls.length).toBeGreaterThan(2);
});

test('it stops waiting when it is aborted', async () => {
  const { digests, calls } = scripted([ACCEPTED, broken()]);
  const leaving = new AbortController();
  const reason = new Error('left');
  const onConnection = (): void => leaving.abort(reason);
  expect(await told(digests, { signal: leaving.signal, onConnection, between: 60_000 })).toEqual([1, reason]);
  expect(calls).toEqual(['follow dig_1']);
});
