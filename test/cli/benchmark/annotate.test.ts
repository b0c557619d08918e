import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { annotateCommand } from '../../../src/cli/benchmark/annotate.node.ts';
import type { Session } from '../../../src/contract/index.ts';
import { itemsOf } from '../../../src/lab/people/items.ts';
import { PAGE_HEADERS } from '../../../src/server/index.ts';
import { SAMPLE_SET } from '../../l../../lab/people/sample-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { runCommand } from './run-command.ts';
import { startAnnotating } from './start-annotating.ts';

const { items } = itemsOf(SAMPLE_SET);
const [first, second] = items.map(({ id }) => id);
const ADA = ['--annotator', 'ada'];
const STATED = { item: first, field: 'stated', value: 'yes' };

/** Asks as a program may, with any header. */
async function ask(
  url: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Record<string, unknown> }> {
  const { port, hash, host } = new URL(url);
  const all = { host, authorization: `Bearer ${hash.slice(1)}`, 'content-type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, text: await text(answer), headers: answer.headers });
    });
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(url, '/api/labels', { headers, body });

test('the page, its items without scores, documents as they are, and decisions that are on disk once answered', async () => {
  const { url, out, ended } = await startAnnotating();
  const page = await ask(url, '/', { headers: { authorization: '' } });
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject(PAGE_HEADERS);
  const [, script] = /src="(\/assets\/main-[^"]+\.js)"/.exec(page.text) ?? [];
  expect((await ask(url, script)).status).toBe(200);
  const session: Session = JSON.parse((await ask(url, '/api/session')).text);
  expect(session.items.map(({ id, fields }) => [id, fields])).toEqual(
    items.map(({ id, query }) => [id, query === null ? ['stated'] : ['stated', 'helps']]),
  );
  expect(JSON.stringify(session)).not.toContain('score');
  const documents = await Promise.all(session.items.map(({ document }) => ask(url, `/api/documents/${document}`)));
  expect(documents.map(({ text }) => JSON.parse(text).text)).toEqual(items.map(({ document }) => document.text));
  expect((await ask(url, '/api/documents/7')).status).toBe(404);

  expect([session.annotator, session.decided]).toEqual(['ada', []]);
  expect((await post(url, STATED)).status).toBe(204);
  const { at, ...line } = JSON.parse(readFileSync(out, 'utf8'));
  expect([line, Math.abs(Date.now() - Date.parse(at)) < 60_000]).toEqual([{ ...STATED, annotator: 'ada' }, true]);
  expect((await post(url, { ...STATED, field: 'helps', value: 'neutral' })).status).toBe(204);
  expect((await post(url, { ...STATED, value: 'no' })).status).toBe(204);
  expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(3);
  expect(JSON.parse((await ask(url, '/api/session')).text).decided).toEqual([
    { item: first, field: 'stated', value: 'no' },
    { item: first, field: 'helps', value: 'neutral' },
  ]);
  const { code, stderr } = await ended();
  expect(code).toBe(0);
  expect(stderr).toContain('Key points left out, as no words are known that state them: 1\n');
  expect(stderr).toContain('ada: 2 of 8 answers');
  await expect(ask(url, '/')).rejects.toThrow('ECONNREFUSED');
});

test('whoever lacks the token is refused, and writes nothing', async () => {
  const { url, out } = await startAnnotating();
  for (const authorization of ['', 'Bearer ', `Bearer ${'x'.repeat(32)}`, `${new URL(url).hash.slice(1)}`]) {
    expect((await post(url, STATED, { authorization })).status).toBe(401);
    expect((await ask(url, '/api/session', { headers: { authorization } })).status).toBe(401);
    expect((await ask(url, '/api/documents/0', { headers: { authorization } })).status).toBe(401);
  }
  expect(readFileSync(out, 'utf8')).toBe('');
  const another = await startAnnotating();
  expect(new URL(another.url).hash).not.toBe(new URL(url).hash);
});

test('a decision that cannot be one is refused by name, and writes nothing', async () => {
  const { url, out } = await startAnnotating();
  const refused: [unknown, string][] = [
    [{ ...STATED, item: 'x' }, 'There is no such item.'],
    [{ ...STATED, field: 'outcome', value: '3' }, '"outcome" is not asked of this item.'],
    [{ ...STATED, value: 'agree' }, '/value: must be no or yes'],
    [{ ...STATED, value: null }, '/value'],
    [{ ...STATED, annotator: 'bob' }, 'annotator'],
    ['{', ''],
  ];
  for (const [body, detail] of refused) {
    const answer = await post(url, body);
    expect([answer.status, JSON.parse(answer.text).detail]).toEqual([422, expect.stringContaining(detail)]);
  }
  expect((await post(url, { ...STATED, item: 'a'.repeat(20_000) })).status).toBe(413);
  expect(readFileSync(out, 'utf8')).toBe('');
});

test('goes on where an annotator stopped; a line that a crash cut short is told, left out and left alone', async () => {
  const before = await startAnnotating();
  await post(before.url, STATED);
  await before.ended();
  const other = await startAnnotating({ folder: before.folder, annotator: 'Zoë' });
  await post(other.url, { ...STATED, item: second });
  await other.ended();
  const whole = readFileSync(before.out);
  // Cut within the ë: no UTF-8 any more.
  const half = whole.subarray(0, whole.indexOf('ë') + 1);
  appendFileSync(before.out, half.subarray(whole.indexOf('\n') + 1));
  const after = await startAnnotating({ folder: before.folder });
  expect(after.stderr()).toContain(`${before.out} line 3 was cut short when it was written, and is left out.`);
  expect(after.stderr()).toContain('ada: 1 of 8 answers\n');
  expect(JSON.parse((await ask(after.url, '/api/session')).text).decided).toEqual([STATED]);
  await post(after.url, { ...STATED, item: second });
  await after.ended();
  const bytes = readFileSync(before.out);
  expect(bytes.subarray(0, whole.length)).toEqual(whole);
  const last = bytes.toString('utf8').trimEnd().split('\n');
  expect([last.length, JSON.parse(last[3]).item]).toEqual([4, second]);
  // The torn line is one among others now, and still told.
  const again = await startAnnotating({ folder: before.folder });
  expect(again.stderr()).toContain(`${before.out} line 3 was cut short`);
  expect(again.stderr()).toContain('ada: 2 of 8 answers');
});

test('a sheet is written with what is decided, and its answers are added, or none if one of them is wrong', async () => {
  const folder = temporaryFolder();
  const [set, out, sheet] = ['set.json', 'labels.jsonl', 'sheet.csv'].map((name) => join(folder, name));
  writeFileSync(set, JSON.stringify(SAMPLE_SET));
  const asked = (...more: string[]) => runCommand(annotateCommand, [set, '--out', out, ...ADA, ...more]);
  expect(await asked('--export', sheet)).toMatchObject({ code: 0, stdout: '' });
  const lines = readFileSync(sheet, 'utf8').trimEnd().split('\r\n');
  // A line for each field of each item, none of them answered.
  expect(lines).toHaveLength(1 + items.flatMap(({ fields }) => fields).length);
  expect(lines.slice(1).every((line) => line.endsWith(','))).toBe(true);
  expect(readFileSync(out, 'utf8')).toBe('');

  writeFileSync(sheet, [lines[0], `${lines[1]}yes`, `${lines[2]}agree`, ...lines.slice(3)].join('\r\n'));
  const added = await asked('--import', sheet);
  expect(added).toMatchObject({ code: 0, stdout: '' });
  expect(added.stderr).toContain('2 answers added. ada: 2 of 8 answers');
  const labels = readFileSync(out, 'utf8').trimEnd().split('\n');
  expect(labels.map((line) => JSON.parse(line))).toMatchObject([
    { ...STATED, annotator: 'ada' },
    { item: first, field: 'helps', value: 'agree', annotator: 'ada' },
  ]);
  expect(await asked('--export', sheet)).toMatchObject({ code: 0 });
  expect(
    readFileSync(sheet, 'utf8')
      .split('\r\n')
      .slice(1, 4)
      .map((line) => line.split(',').at(-1)),
  ).toEqual(['yes', 'agree', '']);

  writeFileSync(sheet, [lines[0], `${lines[1]}no`, `${lines[2]}maybe`, 'x,,,,,stated,,yes'].join('\r\n'));
  const refused = await asked('--import', sheet).catch(String);
  expect(refused).toContain('Nothing was imported, as 2 places are wrong');
  expect(refused).toMatch(/item "\w+", helps: \/answer must be disagree or neutral or agree/);
  expect(refused).toContain(`${sheet} item "x", stated: /item is no item of this file`);
  expect(readFileSync(out, 'utf8').trimEnd().split('\n')).toEqual(labels);
});

test('flags and files that cannot be, by name', async () => {
  const folder = temporaryFolder();
  const [set, out] = [join(folder, 'set.json'), join(folder, 'labels.jsonl')];
  writeFileSync(set, JSON.stringify(SAMPLE_SET));
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => {
    taken.close();
  });
  await until('a port', () => taken.listening);
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const asked: [string[], RegExp][] = [
    [[], /Name a benchmark set/],
    [[set], /--out LABELS\.jsonl/],
    [[set, '--out', out, '--sample', '0', ...ADA], /--sample is a whole number from 1/],
    [[set, '--out', out, '--port', '70000', ...ADA], /--port is at most 65535/],
    [[set, '--out', out], /Say who labels/],
    ...[' ', 'a\nb', 'a'.repeat(101)].map((name): [string[], RegExp] => [
      [set, '--out', out, '--annotator', name],
      /--annotator is a name/,
    ]),
    [[set, '--out', join(folder, 'no', 'labels.jsonl'), ...ADA], /cannot be written/],
    [[set, '--out', out, '--port', port, ...ADA], /Port \d+ cannot be served/],
  ];
  for (const [args, message] of asked) await expect(runCommand(annotateCommand, args)).rejects.toThrow(message);
  // A file of something else is not added to.
  await expect(runCommand(annotateCommand, [set, '--out', set, ...ADA])).rejects.toThrow(/Nothing was annotated/);
  expect(readFileSync(set, 'utf8')).toBe(JSON.stringify(SAMPLE_SET));
  writeFileSync(set, JSON.stringify({ ...SAMPLE_SET, cases: [] }));
  await expect(runCommand(annotateCommand, [set, '--out', join(folder, 'new'), ...ADA])).rejects.toThrow(
    /nothing to judge/,
  );
  expect(existsSync(join(folder, 'new'))).toBe(false);
});
