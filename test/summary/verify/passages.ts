import type { Passage } from '../../../src/summary/index.ts';

/** A passage with all that a judge may be shown of one. */
export const SIMAV: Passage = {
  document: 'd',
  quotes: [
    {
      text: 'The quake hit the town at 11:15 p.m.',
      before: 'Simav lies in western Turkey. ',
      after: '\n\nTwo people died.',
    },
  ],
  title: 'Quake in Turkey',
  publishedAt: '2011-05-20',
  speaker: 'Ana Lopez',
};
