import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/index.node.ts';
import { deleteDigest, saveDigest, saveDocuments } from '../../src/store/index.ts';

/** Fills the disk that a folder is on, which should be small, deletes, and prints what was possible. */
const [folder] = process.argv.slice(2);
const database = openDatabase(join(folder, 'tessera.sqlite'));
const answer = JSON.stringify({ text: 'Said of one matter. '.repeat(3000) });
const save = (id: string) => saveDigest(database, { id, status: 'completed', answer }, []);
const isPossible = (work: Promise<unknown>) => work.then(() => true).catch(() => false);

for (let i = 0; i < 60; i++) await save(`old-${i}`);
for (const size of [65_536, 512]) {
  try {
    for (;;) appendFileSync(join(folder, 'other'), Buffer.alloc(size, 1));
  } catch {} // full
}
let kept = 0;
while (await isPossible(save(`last-${kept}`))) kept++;
const deleted = [];
for (let i = 0; i < 60; i++) deleted.push(await isPossible(deleteDigest(database, `old-${i}`)));
const isReady = await isPossible(database.ready());
const again = [];
for (let i = 0; i < 40; i++) again.push(await isPossible(save(`new-${i}`)));
const isFull = !(await isPossible(saveDocuments(database, [{ hash: 'large', text: 'x'.repeat(20_000_000) }])));
process.stdout.write(JSON.stringify({ deleted: deleted.every(Boolean), isReady, again: again.every(Boolean), isFull }));
