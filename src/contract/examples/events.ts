import { DIGEST } from './digest.ts';

function event(id: number, name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}

const sentences = DIGEST.summary.sentences.map((sentence, index) => ({ index, ...sentence }));

/** How the example of a digest is told, without its receipt and most of its progress. */
export const TOLD = [
  event(1, 'accepted', { id: DIGEST.id, location: `/v1/digests/${DIGEST.id}` }),
  event(2, 'progress', { stage: 'extract', done: 1, total: 3, document: 'council' }),
  ...sentences.slice(0, 2).map((sentence, index) => event(8 + index, 'sentence', sentence)),
  event(13, 'digest', DIGEST),
].join('');
