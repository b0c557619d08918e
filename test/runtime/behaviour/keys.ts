import { expect } from 'vitest';
import { createKey } from '../../../src/store/index.ts';
import { type Headers, refusal, type Service, type Suite, told } from '../service.ts';
import { freshOrder } from './jobs.ts';

type Scope = Parameters<typeof createKey>[1]['scopes'][number];

async function keyOf(
  { runtime }: Service,
  tenant: string,
  ...scopes: Scope[]
): Promise<{ id: string; headers: Headers }> {
  const { id, key } = await createKey(runtime.connection, { tenant, name: 'test', scopes });
  return { id, headers: { authorization: `Bearer ${key}` } };
}

/** Who may ask, once there are keys. Goes last: there is no way back. */
export const keys: Suite = (holds) => {
  holds('from the first key on, who has none is refused', async (service) => {
    const { get } = service;
    await told(get('/v1/digests'));
    const { headers } = await keyOf(service, 'own', 'digests');
    await told(get('/v1/digests', headers));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const { headers: refused } = await get('/v1/digests');
    expect(refused.get('www-authenticate')).toBe('Bearer');
    await refusal(get('/v1/digests'), 401, 'authentication-required');
    await refusal(get('/v1/digests', { authorization: 'Bearer tsr_live_0' }), 401, 'invalid-key');
    await told(get('/healthz'));
  });

  holds('tenants see nothing of each other, and keys do what they are for', async (service) => {
    const { get, digest } = service;
    const own = await keyOf(service, 'own', 'digests');
    const other = await keyOf(service, 'other', 'digests');
    const made = await digest(freshOrder(), own.headers);
    await told(get(`/v1/digests/${made.id}`, own.headers));
    await refusal(get(`/v1/digests/${made.id}`, other.headers), 404);
    expect(await told(get('/v1/digests', other.headers))).toEqual({ digests: [], next: null });
    await refusal(get('/v1/experiments', own.headers), 403);
    await refusal(get('/metrics', own.headers), 403);
  });
};
