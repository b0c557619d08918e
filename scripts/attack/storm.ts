/**
 * Eight tenants send the worst bodies, evaluations, selections and documents that are known and have digests made by a model with the worst
 * answers, while another tenant makes small digests: what /healthz takes, what those digests take beside their time alone, the memory of the service, and its answers by status.
 *
 * After `npm run build`: `npx tsx scripts/attack/storm.ts [seconds]`, five minutes by default. Callers and service share this machine.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from '../../test/bench/child-service.ts';
import { ScriptedModelServer } from '../../test/support/scripted-model-server.ts';

const SECONDS = Number(process.argv[2] ?? 300);
const TENANTS = 8;
const ALONE = 20;
const BETWEEN_LOOKS = 20;

interface Attack {
  readonly path: string;
  readonly body: string;
}

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const evaluation = (body: unknown): Attack => ({ path: '/v1/evaluations', body: JSON.stringify(body) });
const INSIGHT = { id: 'a', text: 'The cat sat on the mat.', documents: ['1'] };
const REPORT = Array.from({ length: 300 }, (_, i) => `Tram ${i} rose to ${i} euros in May. Town ${i} said so.`).join(
  ' ',
);
let asked = 0;
/** Each has a text of its own, so that no answer is known; a model's answer repeats what the document ends with. */
const modelDigest = (piece: string, engine: object): Attack => ({
  path: '/v1/digests',
  get body() {
    const documents = [`${REPORT} Call ${++asked}. ${filled(piece, 40_000)}`];
    return JSON.stringify({ documents, intent: `What changed in May, asked ${asked}?`, engine });
  },
});
const PIECES = [
  '\u2028',
  '-1 ',
  '12:30 ',
  '1.1.1 ',
  '"',
  '. ',
  'Mr. ',
  '[',
  '1 2 ',
  'Anna Bell ',
  '- a\n',
  '<table>',
  ' ',
];

const ATTACKS: readonly Attack[] = [
  ...PIECES.flatMap((piece) => [
    evaluation({ metric: 'summhay', bullets: `${filled(piece, 190_000)}x`, insights: [INSIGHT] }),
    evaluation({
      metric: 'key-point-recall',
      answer: `Fares rose. ${filled(piece, 3_900)}`,
      keyPoints: Array.from({ length: 20 }, (_, i) => `${i} are i ${filled(piece, 3_900)}`),
      documents: [filled(piece, 90_000)],
    }),
    { path: '/v1/digests', body: JSON.stringify({ documents: [filled(piece, 400_000)], intent: filled(piece, 900) }) },
    { path: '/v1/key-points', body: JSON.stringify({ documents: [{ id: 'a', text: filled(piece, 900_000) }] }) },
    modelDigest(piece, { writer: 'llm' }),
    modelDigest(piece, { extractor: 'llm' }),
  ]),
  { path: '/v1/digests', body: `{"documents":${filled('[', 15_000_000)}` },
  { path: '/v1/selections', body: `{"kernel":[${filled('[],', 15_000_000)}[]]}` },
  { path: '/v1/evaluations', body: `[${filled('{},', 15_000_000)}{}]` },
  { path: '/v1/digests', body: `{${Array.from({ length: 400_000 }, (_, i) => `"a${i}":0`).join()}}` },
];

let answers = 0;
const model = await ScriptedModelServer.start(({ body }) => {
  const piece = PIECES[++answers % PIECES.length];
  if (body.response_format === undefined) return { text: filled(`Trams rose ${piece}`, 200_000) };
  const keyPoints = Array.from({ length: 300 }, (_, i) => ({
    text: `Tram ${i} rose. ${filled(piece, 300)}`,
    quote: `Tram ${i} rose ${filled(piece, 300)}`,
  }));
  return { text: JSON.stringify({ keyPoints }) };
});
const folder = mkdtempSync(join(tmpdir(), 'tessera-storm-'));
const settings = {
  TESSERA_DB: join(folder, 'storm.sqlite'),
  TESSERA_RATE: 'off',
  MALLOC_ARENA_MAX: '2', // as in the container and the unit
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'none',
  TESSERA_MODEL: 'hostile',
};
const keyOf = (tenant: string): string =>
  execFileSync(process.execPath, ['dist/cli.js', 'keys', 'create', '--name', tenant, '--tenant', tenant], {
    env: { PATH: process.env.PATH, ...settings },
    encoding: 'utf8',
  }).trim();
const attackers = Array.from({ length: TENANTS }, (_, i) => keyOf(`attacker-${i}`));
const other = keyOf('other');
const service = await startChild('serve', folder, settings);

const statuses = new Map<string, number>();
let isOver = false;

async function post({ path, body }: Attack, key: string, signal?: AbortSignal): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(service.url + path, { method: 'POST', headers, body, ...(signal && { signal }) });
  await response.arrayBuffer();
  return response.status;
}

async function attack(key: string, first: number): Promise<void> {
  for (let i = first; !isOver; i += 7) {
    const each = ATTACKS[i % ATTACKS.length];
    const answered = await post(each, key, AbortSignal.timeout(60_000)).catch((failure: Error) => failure.name);
    const told = `${each.path} ${answered}`;
    statuses.set(told, (statuses.get(told) ?? 0) + 1);
  }
}

const EMBEDDED = { extractor: 'sentences', writer: 'compose' };
let number = 0;
async function smallDigest(): Promise<number> {
  const text = `Trams run at night since ${++number}. The fare of line ${number} rose. The depot stayed open.`;
  const began = performance.now();
  const status = await post(
    { path: '/v1/digests', body: JSON.stringify({ documents: [text], intent: 'What changed?', engine: EMBEDDED }) },
    other,
  );
  if (status !== 201) throw new Error(`a small digest was answered ${status}`);
  return performance.now() - began;
}

const looks: number[] = [];
async function look(): Promise<void> {
  while (!isOver) {
    const began = performance.now();
    await (await fetch(`${service.url}/healthz`)).text();
    looks.push(performance.now() - began);
    await pause(BETWEEN_LOOKS);
  }
}

let memory = 0;
async function weigh(): Promise<void> {
  while (!isOver) {
    memory = Math.max(memory, await service.residentMegabytes());
    await pause(200);
  }
}

const quantile = (values: readonly number[], share: number): string => {
  const value = values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
  return `${value.toFixed(0)} ms`;
};

try {
  const alone: number[] = [];
  for (let i = 0; i < ALONE; i++) alone.push(await smallDigest());
  const until = performance.now() + 1000 * SECONDS;
  const running = [...attackers.map((key, i) => attack(key, 11 * i)), look(), weigh()];
  const beside: number[] = [];
  while (performance.now() < until) {
    beside.push(await smallDigest());
    await pause(100);
  }
  isOver = true;
  await Promise.all(running);
  const lines = [
    `/healthz: median ${quantile(looks, 0.5)}, p99 ${quantile(looks, 0.99)}, p99.9 ${quantile(looks, 0.999)}, longest ${quantile(looks, 1)}, of ${looks.length}`,
    `small digest: alone median ${quantile(alone.slice(5), 0.5)}; beside the attacks median ${quantile(beside, 0.5)}, p95 ${quantile(beside, 0.95)}, longest ${quantile(beside, 1)}, of ${beside.length}`,
    `memory: at most ${memory.toFixed(0)} MB`,
    ...[...statuses].toSorted().map(([told, count]) => `${told}: ${count}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  isOver = true;
  await service.stop();
  await model.close();
  rmSync(folder, { recursive: true });
}
