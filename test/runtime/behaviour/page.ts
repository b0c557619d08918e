import { expect } from 'vitest';
import { ASSET_HEADERS, PAGE_HEADERS } from '../../../src/server/index.ts';
import type { Suite } from '../service.ts';

/** The page to look at: files, with what browsers are to hold them to. */
export const page: Suite = (holds) => {
  holds('the page is at /, and browsers are told to let it load nothing from elsewhere', async ({ runtime }) => {
    const answer = await runtime.fetch('/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(Object.fromEntries(answer.headers)).toMatchObject(PAGE_HEADERS);
    expect(await answer.text()).toContain('<div id="page">');
  });

  holds('what the page loads is there, compressed where it is asked for, for good', async ({ runtime }) => {
    const html = await (await runtime.fetch('/')).text();
    const addresses = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) {
      const answer = await runtime.fetch(address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(Object.fromEntries(answer.headers)).toMatchObject(ASSET_HEADERS);
      expect((await answer.text()).length).toBeGreaterThan(0);
    }
  });
};
