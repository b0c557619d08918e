import { expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { testApp } from '../support/test-deps.ts';
import { examplesOf, servedContract } from './contract.ts';

interface Sampled {
  readonly operationId: string;
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[];
}

/** What the client sends when the code of a sample runs. */
async function sentBy(source: string): Promise<{ method: string; path: string; body: unknown }> {
  const sent: { method: string; path: string; body: unknown }[] = [];
  const client = createClient({
    baseUrl: 'http://service.test',
    maxRetries: 0,
    async fetch(url, { method = 'GET', body }) {
      sent.push({
        method,
        path: new URL(url).pathname,
        body: body === undefined ? undefined : JSON.parse(String(body)),
      });
      throw new TypeError('nobody answers');
    },
  });
  const code = source.slice(source.lastIndexOf('\n\n'));
  // The sample itself is what is tested: it runs as it is shown, without its import.
  const run = new Function('client', 'console', `return (async () => {${code}})()`);
  await expect(run(client, { log: () => {} })).rejects.toThrow();
  expect(sent).toHaveLength(1);
  return sent[0];
}

test('the sample of every operation calls that operation, with the body of the contract', async () => {
  const contract = await servedContract(testApp().app);
  const paths = contract.document.paths as Readonly<Record<string, Readonly<Record<string, Sampled>>>>;
  let samples = 0;
  for (const { name, method, path, tags, body } of contract.operations) {
    const { operationId, 'x-codeSamples': given } = paths[path][method];
    expect(operationId, name).toMatch(/^[a-z]+[A-Za-z]+$/);
    if (tags.includes('Service')) {
      expect(given, name).toBeUndefined();
      continue;
    }
    const [{ source }] = given ?? [];
    expect(source, name).toContain("import { createClient } from 'tessera/client';");
    const sent = await sentBy(source);
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    expect([sent.method, sent.path], name).toEqual([method.toUpperCase(), expect.stringMatching(pattern)]);
    const [example] = body === undefined ? [] : Object.values(examplesOf(body, contract));
    if (operationId !== 'recordOutcomes' && example !== undefined) expect(sent.body, name).toEqual(example);
    samples++;
  }
  expect(samples).toBe(contract.operations.length - 3);
});

test('operations have short titles, ids of their own and known tags; the first is to make a digest', async () => {
  const { operations, document } = await servedContract(testApp().app);
  const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Sampled>>>>;
  const ids = operations.map(({ path, method }) => paths[path][method].operationId);
  expect(new Set(ids).size).toBe(operations.length);
  const [[path, item]] = Object.entries(paths);
  expect([path, Object.keys(item)[0], Object.values(item)[0]]).toMatchObject([
    '/v1/digests',
    'post',
    { summary: 'Make a digest' },
  ]);
  const tags = document.tags?.map(({ name }) => name);
  expect(tags?.[0]).toBe('Digests');
  for (const { name, summary, tags: own } of operations) {
    expect(summary, name).toMatch(/^[A-Z].{3,40}$/);
    expect(tags, name).toEqual(expect.arrayContaining([...own]));
  }
});
