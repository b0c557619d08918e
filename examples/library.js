import { readdir, readFile } from 'node:fs/promises';
import { createTessera } from 'tessera/node';

// Two questions about the documents of a folder. No server and no database: what was read stays in memory.
const folder = new URL('documents/', import.meta.url);
const names = (await readdir(folder)).sort();
const documents = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(new URL(name, folder), 'utf8');
    return { id: name, title: text.split('\n', 1)[0].replace('# ', ''), text };
  }),
);

const tessera = await createTessera();
for (const intent of ['What did the trial change?', 'How many books were stolen?']) {
  const digest = await tessera.digest({ documents, intent });
  console.log(`${intent} (answered: ${digest.intent.answered})`);
  for (const { text, citations } of digest.summary.sentences) {
    console.log(`- ${text} ${citations.map(({ document }) => `[${document}]`).join('')}`);
  }
}
await tessera.close();
