import { vectorLists } from '../../src/store/schema.ts';
import { chunks } from '../../src/text/index.ts';
import { told } from '../runtime/service.ts';
import type { MemoryCase } from './edge-memory.ts';
import type { EdgeProcess } from './edge-process.ts';
import { reports } from './reports.ts';

/** As many documents as a collection may hold, and key points of all of them, about. */
const DOCUMENTS = 200;
export const POINTS = 10_000;
/** As many as may be searched, if they are within the characters that may be read. */
const MOST_POINTS = 30_000;
/** Characters of a sentence of `reports`. */
const SENTENCE = 120;
/** Key points of a request. */
const TOGETHER = 5000;

export const QUESTIONS = [
  'Who voted against the bridge?',
  'Why were school meals delayed?',
  'Which treaties were signed?',
  'What did the auditors find?',
  'What was done about taxes?',
];
export const TOPICS = ['the price of milk', 'flood walls', 'a register of landlords', 'night trains', 'hospital wards'];

/** Stores a collection. Its statements are short, so that all are within the characters that a Worker takes. @returns its id */
export async function stored({ post }: EdgeProcess, points = POINTS): Promise<string> {
  const { id } = await told<{ id: string }>(post('/v1/collections', {}), 201);
  const documents = reports(DOCUMENTS, (points / DOCUMENTS) * SENTENCE).map(({ text, ...document }) => ({
    ...document,
    text: text.replaceAll(/, which concerned [^.]*/g, ''),
  }));
  for (const group of chunks(documents, Math.floor((TOGETHER * DOCUMENTS) / points))) {
    await told(post(`/v1/collections/${id}/documents`, { documents: group }));
  }
  return id;
}

/** What is scanned was not used today: the next digest packs it again. */
export async function anotherDay({ runtime: { connection } }: EdgeProcess): Promise<void> {
  await connection.commit([connection.query.update(vectorLists).set({ usedOn: 0 })]);
}

/** Memory while collections are stored and while they are asked. */
export function collectionMemory(): MemoryCase[] {
  let collection = '';
  const ask = async ({ post }: EdgeProcess): Promise<string> => {
    const { status } = await post('/v1/digests', { collection, intent: QUESTIONS[0] });
    return String(status);
  };
  return [POINTS, MOST_POINTS].flatMap((points) => {
    const name = `collection of ${points / 1000} k points`;
    const prepare = async (edge: EdgeProcess): Promise<string> => {
      collection = await stored(edge, points);
      return '200';
    };
    return [
      { name: `${name}, stored`, ask: prepare },
      { name: `${name}, asked`, prepare, ask },
      { name: `${name}, asked on another day`, prepare: (edge) => prepare(edge).then(() => anotherDay(edge)), ask },
    ];
  });
}
