import { expect } from 'vitest';
import {
  type Digest,
  type DigestRequest,
  digestSchema,
  type Problem,
  problemSchema,
} from '../../src/contract/index.ts';
import type { SourceDocument } from '../../src/text/index.ts';
import { expectSound } from '../support/promises.ts';
import { until } from '../support/until.ts';
import type { Runtime } from './runtime.ts';

export type Headers = Readonly<Record<string, string>>;
/** A digest of documents that are given. */
export type Order = DigestRequest & { readonly documents: readonly SourceDocument[] };

export const LATER: Headers = { prefer: 'respond-async' };

/** Says that something holds, and shows it. */
export type Holds = (what: string, show: (service: Service) => Promise<void>) => void;
export type Suite = (holds: Holds) => void;

/** A service as tests ask it. */
export interface Service {
  readonly runtime: Runtime;
  /** Sends a body as JSON, a string as it stands. */
  ask(method: string, path: string, body?: unknown, headers?: Headers): Promise<Response>;
  get(path: string, headers?: Headers): Promise<Response>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Response>;
  /** The digest that a request is answered with, held to its promises. */
  digest(order: Order, headers?: Headers): Promise<Digest>;
  /** The id of a digest that is made later. */
  submit(order: Order, headers?: Headers): Promise<string>;
  /** The digest of this id, once it is there. */
  ended(id: string): Promise<Digest>;
}

export function serviceOver(runtime: Runtime): Service {
  const ask: Service['ask'] = (method, path, body, headers = {}) =>
    runtime.fetch(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const get: Service['get'] = (path, headers) => ask('GET', path, undefined, headers);
  const post: Service['post'] = (path, body, headers) => ask('POST', path, body, headers);
  return {
    runtime,
    ask,
    get,
    post,
    async digest(order, headers) {
      const response = await post('/v1/digests', order, headers);
      const digest = soundDigest(await told(response, 201), order);
      expect(response.headers.get('location')).toBe(`/v1/digests/${digest.id}`);
      return digest;
    },
    async submit(order, headers) {
      const response = await post('/v1/digests', order, { ...LATER, ...headers });
      const { id, ...rest } = await told<{ readonly id: string; readonly status: string }>(response, 202);
      expect(response.headers.get('location')).toBe(`/v1/digests/${id}`);
      expect(['queued', 'running']).toContain(rest.status);
      return id;
    },
    ended: (id) =>
      until(`digest ${id}`, async () => {
        const found = await told<Digest | { readonly status: string }>(get(`/v1/digests/${id}`));
        if ('summary' in found) return found;
        expect(['queued', 'running'], JSON.stringify(found)).toContain(found.status);
        return null;
      }),
  };
}

/** A digest as the contract has it, of these documents, with all that is promised of any. */
export function soundDigest(json: unknown, { documents }: { readonly documents: readonly SourceDocument[] }): Digest {
  const digest = digestSchema.parse(json) as Digest;
  expect(digest).toEqual(json);
  expectSound(digest, documents);
  return digest;
}

/** What an answer says, which is to have a status. */
export async function told<Body>(answer: Response | Promise<Response>, status = 200): Promise<Body> {
  const response = await answer;
  const text = await response.text();
  expect(response.status, text.slice(0, 500)).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  return JSON.parse(text);
}

/** The problem that a request is refused with. */
export async function refusal(answer: Response | Promise<Response>, status: number, code?: string): Promise<Problem> {
  const response = await answer;
  const text = await response.text();
  expect(response.status, text.slice(0, 500)).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const problem = problemSchema.parse(JSON.parse(text)) as Problem;
  expect(problem).toMatchObject({ status, ...(code !== undefined && { type: `urn:tessera:problem:${code}` }) });
  return problem;
}

/** Where a request is wrong. */
export async function pointers(answer: Response | Promise<Response>, status = 422): Promise<string[]> {
  const { errors = [] } = await refusal(answer, status);
  return errors.map(({ pointer }) => pointer);
}
