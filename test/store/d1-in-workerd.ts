import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { D1Database } from '@cloudflare/workers-types';
import { Miniflare } from 'miniflare';

/** A Worker that runs statements on its D1 databases: one call over HTTP costs about 2 ms, one through Miniflare's own bindings 8. */
const WORKER = `
const given = (value) => value?.bytes !== undefined ? Uint8Array.fromBase64(value.bytes) : value?.isUndefined ? undefined : value;
export default {
  async fetch(request, env) {
    const { database, mode, statements } = await request.json();
    try {
      const prepared = statements.map(({ sql, parameters }) => env[database].prepare(sql).bind(...parameters.map(given)));
      return Response.json({ answer: mode === 'batch' ? await env[database].batch(prepared) : await prepared[0][mode]() });
    } catch (failure) {
      return Response.json({ failure: failure.message });
    }
  },
};`;

type Mode = 'all' | 'raw' | 'run' | 'batch';

/** Counts what reached a database: in production an invocation has a bound of statements. */
export interface D1Counts {
  statements: number;
  /** The largest parameter of all, in bytes. */
  largest: number;
}

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

type Ask = (mode: Mode, statements: readonly Statement[]) => Promise<unknown>;

/** A prepared statement, as far as drizzle and the store use one. */
function prepared(ask: Ask, sql: string, parameters: readonly unknown[] = []) {
  const statement = { sql, parameters };
  return {
    ...statement,
    bind: (...given: unknown[]) => prepared(ask, sql, given),
    all: () => ask('all', [statement]),
    raw: () => ask('raw', [statement]),
    run: () => ask('run', [statement]),
  };
}

/** D1 databases in one workerd, empty, without tables. */
export async function d1InWorkerd(most: number) {
  const names = Array.from({ length: most }, (_, i) => `DB${i}`);
  const miniflare = new Miniflare({
    modulesRoot: '/',
    modules: [{ type: 'ESModule', path: '/index.mjs', contents: WORKER }],
    compatibilityDate: '2026-04-20',
    d1Databases: Object.fromEntries(names.map((name) => [name, name])),
  });
  const url = await miniflare.ready;

  function database(name: string): { readonly binding: D1Database; readonly counts: D1Counts } {
    const counts = { statements: 0, largest: 0 };
    async function ask(mode: Mode, statements: readonly Statement[]): Promise<unknown> {
      counts.statements += statements.length;
      const sizes = statements.flatMap(({ parameters }) => parameters.map(sizeOf));
      counts.largest = sizes.reduce((most, size) => Math.max(most, size), counts.largest);
      const sent = statements.map(({ sql, parameters }) => ({ sql, parameters: parameters.map(encoded) }));
      const response = await fetch(url, {
        method: 'POST',
        // workerd may close a connection that waits for more at the moment it is used again.
        headers: { connection: 'close' },
        body: JSON.stringify({ database: name, mode, statements: sent }),
      });
      const { answer, failure } = (await response.json()) as { answer?: unknown; failure?: string };
      if (failure !== undefined) throw new Error(failure);
      return answer;
    }
    const prepare = (sql: string) => prepared(ask, sql);
    const batch = (statements: readonly Statement[]) => ask('batch', statements);
    // What drizzle and the store use of a binding.
    return { binding: { prepare, batch } as unknown as D1Database, counts };
  }

  return { names, database, dispose: () => miniflare.dispose() };
}

function encoded(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  return value === undefined ? { isUndefined: true } : value;
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  return typeof value === 'string' ? Buffer.byteLength(value) : 8;
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

/** The statements of the migrations, file by file, as wrangler applies them: every `*.sql` by name. */
export function migrationFiles(): { readonly name: string; readonly statements: readonly string[] }[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      name,
      statements: readFileSync(`${MIGRATIONS}${name}`, 'utf8').split('--> statement-breakpoint'),
    }));
}

/** Applies migrations to a database. */
export async function migrateD1(binding: D1Database, files = migrationFiles()): Promise<void> {
  await binding.batch(files.flatMap(({ statements }) => statements.map((statement) => binding.prepare(statement))));
}
