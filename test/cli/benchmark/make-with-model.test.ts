import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BenchmarkCommand } from '../../../src/cli/benchmark/command.node.ts';
import { isAgreed, makeSet } from '../../../src/cli/benchmark/make-with-model.node.ts';
import type { ProtocolOptions } from '../../../src/cli/benchmark/protocol-flags.node.ts';
import { UsageError } from '../../../src/cli/index.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import type { Maker } from '../../../src/lab/makers/maker.ts';
import { type Prompts, parsePrompt } from '../../../src/models/index.ts';
import type { OpenAiModelOptions } from '../../../src/models/language/openai-model.ts';
import type { OpenDatabase } from '../../../src/store/index.node.ts';
import { judgements } from '../../../src/store/schema.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { lastUser, messagesOf, type Script, type ScriptedModelServer } from '../../support/scripted-model-server.ts';
import { memoryDatabase, testDeps } from '../../support/test-deps.ts';
import { type CommandOutcome, runCommand } from './run-command.ts';

const PROMPTS: Prompts = new Map([
  [
    'one',
    parsePrompt(
      '---\nid: one\nstage: benchmark\npurpose: p\nvariables: [of]\n---\n# System\nAnswer.\n# User\n{{of}}\n',
    ),
  ],
]);
const THINGS = ['river', 'fox', 'mill', 'ferry', 'stone', 'bridge'];
const FORM = { name: 'said', schema: z.object({ said: z.string() }) };

/** Makes a set whose documents are what a model says of some things. */
const makerOf = (things: readonly string[]): Maker => ({
  ...{ step: 'asking', version: 3, options: { things: things.length } },
  expected: () => [[things.length, 10, 100]],
  async make(model) {
    const said = await Promise.all(things.map((of) => model.json('one', { of }, 50, FORM)));
    const documents = said.flatMap((each, place) => (each === null ? [] : [{ id: things[place], text: each.said }]));
    const set = { name: 's', collections: [{ id: 'c', documents }], cases: [], made: [] };
    model.count('saidThings', documents.length);
    return documents.length === 0 ? null : set;
  },
});

const script: Script = (request) => ({ text: JSON.stringify({ said: `about ${lastUser(request)}` }) });
const SAID = THINGS.map((of) => `about ${of}`);

interface Given {
  readonly options?: Partial<ProtocolOptions>;
  readonly typed?: string;
  readonly signal?: AbortSignal;
  readonly database?: OpenDatabase;
  readonly model?: Partial<OpenAiModelOptions>;
  /** What is asked about. */
  readonly things?: readonly string[];
}

interface Outcome extends CommandOutcome {
  readonly made: BenchmarkSet | null;
  readonly said: readonly string[] | null;
  readonly server: ScriptedModelServer;
  readonly database: OpenDatabase;
}

const OPTIONS: ProtocolOptions = {
  out: undefined,
  seed: 1,
  model: undefined,
  yes: false,
  restart: false,
  retry: false,
};

function commandOf(options: Partial<ProtocolOptions>, maker = makerOf(THINGS)): BenchmarkCommand {
  return {
    ...{ summary: '', usage: '', flags: {}, examples: [] },
    run: async (_, service, streams, signal) =>
      makeSet(maker, { ...OPTIONS, ...options }, await service(), streams, signal),
  };
}

async function make(answers: Script, given: Given = {}): Promise<Outcome> {
  const { options = {}, typed, signal, database = memoryDatabase() } = given;
  const { model, server } = await scriptedModel(answers, { concurrency: 1, ...given.model });
  const deps = testDeps({ database, models: { model, prompts: PROMPTS, extractor: 'sentences', writer: 'compose' } });
  const command = commandOf(options, makerOf(given.things ?? THINGS));
  const outcome = await runCommand(command, [], deps, {
    ...(typed !== undefined && { typed }),
    ...(signal && { signal }),
  });
  const made: BenchmarkSet | null = outcome.stdout === '' ? null : JSON.parse(outcome.stdout);
  const said = made?.collections[0].documents.map(({ text }) => text) ?? null;
  return { ...outcome, made, said, server, database };
}

const YES = { yes: true };

describe('before anything is asked', () => {
  test('a model is needed, by name', async () => {
    const without = runCommand(commandOf(YES), []);
    await expect(without).rejects.toThrow(UsageError);
    await expect(without).rejects.toThrow(
      'benchmark asking needs a language model: set OPENAI_API_KEY, or OPENAI_BASE_URL',
    );
    const nameless = make(script, { options: YES, model: { defaultModel: null } });
    await expect(nameless).rejects.toThrow('--model NAME, or TESSERA_MODEL');
    const { code, server, made } = await make(script, {
      options: { ...YES, model: 'other' },
      model: { defaultModel: null },
    });
    expect(code).toBe(0);
    expect(new Set(server.requests.map(({ body }) => body.model))).toEqual(new Set(['other']));
    expect(made?.made[0].model).toMatchObject({ model: 'other', temperature: 0, seed: 1 });
  });

  test('somebody has to agree', async () => {
    await expect(make(script)).rejects.toThrow(UsageError);
    await expect(make(script)).rejects.toThrow('say --yes');
  });

  test.each<[string, boolean]>([
    ['y\n', true],
    [' YES \n', true],
    ['n\n', false],
    ['\n', false],
    ['yesterday\n', false],
    // The end of the input, Ctrl-D.
    ['', false],
  ])('%j at a terminal', async (typed, isAgreed) => {
    const { code, said, stderr, server } = await make(script, { typed });
    expect(stderr).toContain('Go on? [y/N] ');
    expect(code).toBe(isAgreed ? 0 : 1);
    expect(said).toEqual(isAgreed ? SAID : null);
    expect(server.requests).toHaveLength(isAgreed ? THINGS.length : 0);
  });

  test('Ctrl-C while it waits for an answer', async () => {
    const { code, server } = await make(script, { typed: 'y\n', signal: AbortSignal.abort() });
    expect([code, server.requests.length]).toEqual([130, 0]);
  });

  test('the terminal is let go with the answer, and Ctrl-C leaves the question', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const streams = { stdin, stdout: process.stdout, stderr: { write: () => true } };
    const asked = isAgreed(streams, new AbortController().signal);
    stdin.write('y\n');
    expect(await asked).toBe(true);
    expect(stdin.isPaused()).toBe(true);
    const leaving = new AbortController();
    const left = isAgreed(streams, leaving.signal);
    leaving.abort();
    expect(await left).toBe(false);
  });

  test('it says what it will ask, and the cost where prices are known', async () => {
    const prices = new Map([['m', { input: 2, output: 10 }]]);
    const priced = await make(script, { typed: 'n\n', model: { prices } });
    const told = /about (\d+) calls of m, (\d+) \+ (\d+) tokens, at a cost of about ([\d.]+)\.$/m.exec(priced.stderr);
    const [calls, prompt, completion, cost] = (told ?? []).slice(1).map(Number);
    expect([calls, completion]).toEqual([6, 600]);
    expect(prompt).toBeGreaterThanOrEqual(60);
    expect(cost).toBeCloseTo((2 * prompt + 10 * completion) / 1e6, 4);
    const unpriced = await make(script, { typed: 'n\n', model: { prices: new Map() } });
    expect(unpriced.stderr).toContain('tokens, at no known price (TESSERA_MODEL_PRICES).');
  });
});

test('makes it, tells the counts, and records all that it takes to make it again', async () => {
  const answers: Script = (request, index) => {
    const shown = messagesOf(request.body);
    if (shown.includes('mill')) return { text: 'I would rather not.' };
    if (lastUser(request) === 'fox') return { text: 'Hm.' };
    if (shown.includes('ferry')) {
      return { status: 400, error: { message: 'too long', code: 'context_length_exceeded' } };
    }
    return shown.includes('fox') ? { text: '{"said":"about fox"}' } : script(request, index);
  };
  const { code, made, said, stderr, server, database } = await make(answers, { options: { ...YES, seed: 7 } });
  expect(code).toBe(0);
  expect(said).toEqual(SAID.filter((_, place) => ![2, 3].includes(place)));
  expect(made?.made[0]).toEqual({
    step: 'asking',
    version: 3,
    seed: 7,
    model: { model: 'm', temperature: 0, topP: null, seed: 7 },
    prompts: { one: PROMPTS.get('one')?.hash },
    options: { things: 6, context: 8000 },
    counts: { saidThings: 4, calls: 6, malformed: 1, refused: 1 },
  });
  expect(stderr).toContain('said things: 4\ncalls: 6\nmalformed: 1\nrefused: 1\n');
  expect(stderr).toContain('asking 6/6, 1 unreadable');
  const sent = server.requests.length;
  expect(sent).toBe(8);

  expect(stderr).toContain('The first question without an answer (--retry asks once more): ');

  // What the server did not take is asked again, and nothing else.
  const again = await make(answers, { options: { ...YES, seed: 7 }, database });
  expect(again.made).toEqual(made);
  expect(again.stderr).toContain('about 1 call of m');
  expect(again.stderr).toContain('; 5 were answered before and are not asked again.');
  expect(again.stderr).toContain('calls: 6\nmalformed: 1\nrefused: 1\nknown: 5\n');
  expect(again.server.requests).toHaveLength(1);
  // Asked once more: the one without a readable answer too.
  const retried = await make(script, { options: { ...YES, seed: 7, retry: true }, database });
  expect(retried.said).toEqual(SAID);
  expect(retried.server.requests).toHaveLength(2);
  const known = await make(() => ({ status: 500 }), { options: { seed: 7 }, database });
  expect(known.said).toEqual(SAID);
  expect(known.stderr).toContain('benchmark asking: nothing to ask; 6 were answered before and are not asked again.');
  expect(known.server.requests).toEqual([]);
  const other = await make(script, { options: YES, database });
  expect(other.server.requests).toHaveLength(THINGS.length);
});

test('Ctrl-C ends it, and the same command goes on from there', async () => {
  // More than are begun at once.
  const things = Array.from({ length: 40 }, (_, n) => `mill ${n}`);
  const database = memoryDatabase();
  const stop = new AbortController();
  const stopping: Script = (request, index) => {
    if (index === 2) stop.abort();
    return script(request, index);
  };
  const first = await make(stopping, { options: YES, database, signal: stop.signal, things });
  expect([first.code, first.made]).toEqual([130, null]);
  expect(first.stderr).toContain('Stopped. What is answered is kept: the same command goes on from there.');
  const kept = (await database.query.select().from(judgements)).length;
  expect(kept).toBeGreaterThanOrEqual(2);
  expect(kept).toBeLessThan(things.length);
  const second = await make(script, { options: YES, database, things });
  expect(second.stderr).toContain(`about ${things.length - kept} calls of m`);
  expect(second.stderr).toContain(`; ${kept} were answered before and are not asked again.`);
  const { made: whole } = await make(script, { options: YES, things });
  expect(second.made).toEqual(whole);
  const anew = await make(script, { options: { ...YES, restart: true }, signal: AbortSignal.abort(), things });
  expect(anew.stderr).toContain('the same command without --restart goes on from there.');
  const answered = first.server.requests.slice(0, kept).map(({ body }) => JSON.stringify(body));
  const sent = second.server.requests.map(({ body }) => JSON.stringify(body));
  expect(sent).toHaveLength(things.length - kept);
  expect(sent.filter((body) => answered.includes(body))).toEqual([]);
});

test.each([
  ['a wrong key', 401, 1],
  ['a broken server', 500, 3],
])('%s ends it with what is kept', async (_, status, attempts) => {
  const failing: Script = (request, index) =>
    lastUser(request) === 'mill' ? { status, error: { message: 'no' } } : script(request, index);
  const { code, made, stderr, server, database } = await make(failing, { options: YES });
  expect([code, made]).toEqual([1, null]);
  expect(stderr).toMatch(
    /The language model failed: .+ What is answered is kept: the same command goes on from there\.\n$/,
  );
  expect(server.requests.filter((request) => lastUser(request) === 'mill')).toHaveLength(attempts);
  const kept = (await database.query.select().from(judgements)).length;
  expect(kept).toBeGreaterThanOrEqual(2);
  const after = await make(script, { options: YES, database });
  expect(after.said).toEqual(SAID);
  expect(after.server.requests).toHaveLength(THINGS.length - kept);
  expect(after.stderr).toContain(`calls: 6\nknown: ${kept}\n`);
});

test('a mistake in the code is not hidden', async () => {
  const broken = { ...makerOf(THINGS), make: async () => Promise.reject(new TypeError('a mistake')) };
  const { model } = await scriptedModel(script);
  const deps = testDeps({ models: { model, prompts: PROMPTS, extractor: 'sentences', writer: 'compose' } });
  const command = commandOf(YES, broken);
  await expect(runCommand(command, [], deps)).rejects.toThrow('a mistake');
});
