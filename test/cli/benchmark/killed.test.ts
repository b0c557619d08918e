import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/store/index.node.ts';
import { judgements } from '../../../src/store/schema.ts';
import { runCli, startCli } from '../../support/cli.ts';
import { messagesOf, type Reply, type Script, ScriptedModelServer } from '../../support/scripted-model-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const TOWNS = ['Alm', 'Brok', 'Cern', 'Dorf', 'Elm', 'Furt'];
const SET = {
  name: 'mills',
  collections: [
    {
      id: 'north',
      documents: TOWNS.map((town) => ({
        id: town,
        text: Array.from({ length: 8 }, (_, n) => `In ${1900 + n} the mill of ${town} ground ${100 + n} tons.`).join(
          ' ',
        ),
      })),
    },
  ],
  cases: [],
};
const ARGS = ['benchmark', 'questions', 'set.json', '--questions', '3', '--yes', '--out', 'out.json'];
/** Requests under way at once. */
const CONCURRENCY = 2;

function answerTo({ body }: Parameters<Script>[0]): Extract<Reply, { readonly text: string | null }> {
  const town = /mill of (\w+) ground/.exec(messagesOf(body))?.[1] ?? '';
  const questions = [0, 1, 2].map((n) => ({
    question: `How much did the mill of ${town} grind in ${1900 + n}?`,
    answer: `${100 + n} tons`,
  }));
  return { text: JSON.stringify({ questions }) };
}

async function serverOf(script: Script): Promise<ScriptedModelServer> {
  const server = await ScriptedModelServer.start(script);
  onTestFinished(() => server.close());
  return server;
}

const bodies = (requests: ScriptedModelServer['requests']) => requests.map(({ body }) => JSON.stringify(body));

test('a run that is killed asks nothing again that was answered, and makes the same file', async () => {
  const folders = [temporaryFolder(), temporaryFolder()];
  for (const folder of folders) writeFileSync(join(folder, 'set.json'), JSON.stringify(SET));
  const [undisturbed, slow, after] = await Promise.all([
    serverOf(answerTo),
    serverOf((request) => ({ ...answerTo(request), delay: 250 })),
    serverOf(answerTo),
  ]);
  const environmentOf = ({ url }: ScriptedModelServer, folder: string) => ({
    OPENAI_BASE_URL: url,
    TESSERA_MODEL: 'm',
    TESSERA_MODEL_CONTEXT: '8192',
    TESSERA_MODEL_CONCURRENCY: String(CONCURRENCY),
    TESSERA_DB: join(folder, 'kept.sqlite'),
  });
  const whole = runCli(ARGS, folders[0], environmentOf(undisturbed, folders[0]));

  const child = startCli(ARGS, folders[1], environmentOf(slow, folders[1]));
  const exited = once(child, 'exit');
  const answered = await until('three answers', () => {
    const done = slow.requests.filter(({ timeOut }) => timeOut !== null);
    return done.length >= 3 && done;
  });
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect(await whole).toMatchObject({ code: 0, stdout: '' });

  const database = openDatabase(join(folders[1], 'kept.sqlite'));
  const kept = (await database.query.select().from(judgements)).length;
  database.close();
  // What is answered is kept at once: only answers that were still on their way may be lost.
  expect(kept).toBeGreaterThanOrEqual(answered.length - CONCURRENCY);
  expect(kept).toBeGreaterThan(0);

  const second = await runCli(ARGS, folders[1], environmentOf(after, folders[1]));
  expect(second).toMatchObject({ code: 0, stdout: '' });
  expect(second.stderr).toContain(`; ${kept} were answered before and are not asked again.`);
  const sent = bodies(after.requests);
  const asked = bodies(undisturbed.requests);
  expect(new Set(asked).size).toBe(TOWNS.length);
  expect(sent).toHaveLength(asked.length - kept);
  // In whatever order, the rest of the same questions.
  expect(asked).toEqual(expect.arrayContaining(sent));
  const again = bodies(answered).filter((body) => sent.includes(body));
  expect(again).toHaveLength(Math.max(0, answered.length - kept));
  const [one, other] = folders.map((folder) => readFileSync(join(folder, 'out.json'), 'utf8'));
  expect(other).toBe(one);
  expect(JSON.parse(one).made[0].counts).toMatchObject({ questions: 18, calls: TOWNS.length });
}, 60_000);
