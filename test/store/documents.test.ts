import { expect, test } from 'vitest';
import { readDocuments, saveDocuments } from '../../src/store/index.ts';
import { contentHash } from '../../src/text/index.ts';
import { onBothStores } from './stores.ts';

const stored = (text: string) => ({ hash: contentHash(text), text });

onBothStores(({ open }) => {
  test('texts come back by hash; missing ones are absent', async () => {
    const database = await open();
    await saveDocuments(database, [stored('one'), stored('two')]);
    const found = await readDocuments(database, [contentHash('two'), contentHash('three')]);
    expect([...found]).toEqual([[contentHash('two'), 'two']]);
  });

  test.each([
    ['empty', ''],
    ['NUL', 'a\0b\0'],
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['combining marks, unnormalised', 'e\u0301 \u1100\u1161 \ufb01'],
    ['zero-width and direction marks', '\u200b\u202eabc\u202c\ufeff'],
    ['line ends of all kinds', '\r\n\r\u2028\u2029\u0085'],
    ['noncharacters', '\uffff\ufffe\ufdd0'],
    ['what looks like SQL', "'; drop table documents; --"],
    ['long', 'ä😀'.repeat(300_000)],
  ])('unit for unit: %s', async (_, text) => {
    const database = await open();
    await saveDocuments(database, [stored(text)]);
    const found = (await readDocuments(database, [contentHash(text)])).get(contentHash(text));
    expect(found?.length).toBe(text.length);
    expect(found === text).toBe(true);
  });

  test('what is there already stays as it is', async () => {
    const database = await open();
    await saveDocuments(database, [{ hash: 'h', text: 'first' }]);
    await saveDocuments(database, [
      { hash: 'h', text: 'second' },
      { hash: 'i', text: 'new' },
    ]);
    expect(await readDocuments(database, ['h', 'i'])).toEqual(
      new Map([
        ['h', 'first'],
        ['i', 'new'],
      ]),
    );
  });

  test('hundreds at once, and none', async () => {
    const database = await open();
    const texts = Array.from({ length: 700 }, (_, i) => stored(`text ${i}`));
    await saveDocuments(database, texts);
    const found = await readDocuments(
      database,
      texts.map(({ hash }) => hash),
    );
    expect(found).toEqual(new Map(texts.map(({ hash, text }) => [hash, text])));
    expect((await readDocuments(database, [])).size).toBe(0);
    await expect(saveDocuments(database, [])).resolves.toBeUndefined();
  });

  test('hashes are values, never SQL or JSON', async () => {
    const database = await open();
    const odd = ['"', "'", '\\', '[', 'a,b', '\0', '%', '', '😀'];
    await saveDocuments(
      database,
      odd.map((hash) => ({ hash, text: `text of ${JSON.stringify(hash)}` })),
    );
    for (const hash of odd) {
      expect([...(await readDocuments(database, [hash]))]).toEqual([[hash, `text of ${JSON.stringify(hash)}`]]);
    }
  });
});
