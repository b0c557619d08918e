import { expect } from 'vitest';
import { type Suite, told } from '../service.ts';

/** What anybody may ask, and what it says of the service. */
export const wholeService: Suite = (holds) => {
  holds('it says that it answers, and by which engine', async ({ get }) => {
    expect(await told(get('/healthz'))).toEqual({ status: 'ok' });
    expect(await told(get('/readyz'))).toEqual({
      status: 'ready',
      encoder: 'workers-ai',
      encoders: ['workers-ai'],
      rerankers: [],
      verifiers: [],
      matrix: 'portable',
      languageModel: null,
      extractor: 'sentences',
      writer: 'compose',
    });
  });

  holds('its contract is there for programs and for people', async ({ get }) => {
    const contract = await told<{ openapi: string; paths: Record<string, object> }>(get('/openapi.json'));
    expect(contract.openapi).toBe('3.1.0');
    expect(Object.keys(contract.paths)).toEqual(
      expect.arrayContaining([
        '/v1/digests',
        '/v1/selections',
        '/v1/evaluations',
        '/v1/experiments',
        '/v1/collections',
      ]),
    );
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')?.toLowerCase()]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
    const scripts = [...(await page.text()).matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, address]) => address);
    expect(scripts).toEqual([expect.stringMatching(/^\/assets\/reference-\w+\.js$/)]);
    for (const address of scripts) expect((await get(address)).status, address).toBe(200);
  });
};
