import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { D1Database } from '@cloudflare/workers-types';
import { Response as Answer, Miniflare, type MiniflareOptions, type Request, type WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as optionsIn, unstable_splitSqlQuery as statementsIn } from 'wrangler';
import { openD1 } from '../../src/store/index.worker.ts';
import { type Runtime, VARIABLES } from './runtime.ts';
import { ScriptedAi } from './scripted-ai.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What `npm run build:edge` writes: the Worker as it is uploaded. */
const BUNDLE = join(ROOT, 'dist/edge');

/** The AI binding, an object in the Worker as the real one is: what it is asked goes to this process, which answers for it. */
const AI_BINDING = `
export default ({ SCRIPT }) => ({
  async run(model, inputs, { signal } = {}) {
    const answer = await SCRIPT.fetch('http://script/', { method: 'POST', body: JSON.stringify({ model, inputs }), signal });
    const told = await answer.json();
    if (answer.ok) return told;
    throw Object.assign(new Error(told.message), { name: told.name });
  },
});
`;

export interface WorkerdRuntime extends Runtime {
  readonly miniflare: Miniflare;
  /** Address of the service on this machine. */
  readonly url: URL;
}

interface WorkerdOptions {
  /** Variables beside, or in place of, \`VARIABLES\`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Workers beside the service, which find it under the name `SERVICE`. */
  readonly others?: readonly WorkerOptions[];
  readonly shared?: Partial<MiniflareOptions>;
  /** What stands in place of Workers AI. */
  readonly ai?: ScriptedAi;
}

/** Name of the service among the workers of one runtime. */
export const SERVICE = 'service';

/**
 * The Worker as it is deployed, in workerd: the bundle, with what wrangler.toml binds, over an empty D1 database with the
 * migrations. Only the AI binding is another, and messages come at once.
 */
export async function startWorkerd({
  variables = {},
  others = [],
  shared = {},
  ai = new ScriptedAi(),
}: WorkerdOptions = {}): Promise<WorkerdRuntime> {
  const miniflare = new Miniflare({
    ...shared,
    // Where modules are is only told to those who debug them.
    workers: [serviceOptions({ ...VARIABLES, ...variables }), aiOptions(ai), ...others],
  });
  try {
    const url = await miniflare.ready;
    // Miniflare's own types of the runtime are an older copy of these.
    const database = (await miniflare.getD1Database('DB', SERVICE)) as unknown as D1Database;
    await migrate(database);
    return {
      ai,
      miniflare,
      url,
      connection: openD1(database),
      fetch: async (path, init) => {
        const headers = new Headers(init?.headers);
        // Connections that are kept are closed after a while, which may cross with what is sent next.
        headers.set('connection', 'close');
        return fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
      },
      async everyMinute() {
        const worker = await miniflare.getWorker(SERVICE);
        await worker.scheduled({ cron: '* * * * *', scheduledTime: new Date() });
      },
      async close() {
        ai.release();
        await miniflare.dispose();
      },
    };
  } catch (failure) {
    await miniflare.dispose();
    throw failure;
  }
}

function serviceOptions(bindings: Readonly<Record<string, string>>): WorkerOptions {
  const {
    ai,
    queueConsumers,
    modulesRules: _,
    ...bound
  } = quietly(() => optionsIn(join(ROOT, 'wrangler.toml'))).workerOptions;
  if (ai?.binding !== 'AI') throw new Error('wrangler.toml binds no AI');
  // What goes wrong with a message shows sooner, and a test waits for none.
  const consumers = Object.entries(Object(queueConsumers)).map(([name, options]) => [
    name,
    { ...Object(options), maxBatchTimeout: 0 },
  ]);
  return {
    ...bound,
    name: SERVICE,
    modules: bundled(),
    modulesRoot: BUNDLE,
    queueConsumers: Object.fromEntries(consumers),
    bindings: { ...bound.bindings, ...bindings },
    wrappedBindings: { AI: { scriptName: 'ai' } },
  };
}

function aiOptions(ai: ScriptedAi): WorkerOptions {
  return {
    name: 'ai',
    modulesRoot: '/',
    modules: [{ type: 'ESModule', path: '/ai.mjs', contents: AI_BINDING }],
    serviceBindings: {
      async SCRIPT(request: Request) {
        // The binding above is all that sends.
        const { model, inputs } = (await request.json()) as { model: string; inputs: Parameters<ScriptedAi['run']>[1] };
        try {
          return Answer.json(await ai.run(model, inputs));
        } catch (failure) {
          const { name, message } = failure as Error;
          return Answer.json({ name, message }, { status: 500 });
        }
      },
    },
  };
}

/** The modules of the bundle, the one with the entry point first. */
function bundled() {
  if (!existsSync(join(BUNDLE, 'worker.js'))) throw new Error('there is no bundle: run `npm run build:edge` first');
  const texts = readdirSync(BUNDLE).filter((name) => name.endsWith('.md') && name !== 'README.md');
  const module = (type: 'ESModule' | 'Text', name: string) => ({
    type,
    path: join(BUNDLE, name),
    contents: readFileSync(join(BUNDLE, name), 'utf8'),
  });
  return [module('ESModule', 'worker.js'), ...texts.map((name) => module('Text', name))];
}

async function migrate(database: D1Database): Promise<void> {
  const folder = join(ROOT, 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  for (const file of files.sort()) {
    const statements = statementsIn(readFileSync(join(folder, file), 'utf8'));
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
}

/** Does something of wrangler's without its warnings: here, that Workers AI is never local, which it is. */
function quietly<T>(work: () => T): T {
  const { warn } = console;
  console.warn = () => {};
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}
