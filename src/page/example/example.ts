import type { SourceDocument } from '../../client/index.ts';
import council from './council.txt';
import finance from './finance.txt';
import gazette from './gazette.txt';
import neighbour from './neighbour.txt';
import operator from './operator.txt';
import shops from './shops.txt';
import union from './union.txt';
import university from './university.txt';

/** Documents about a fictional town that repeat and contradict each other. */
export const EXAMPLE: { readonly intent: string; readonly documents: readonly SourceDocument[] } = {
  intent: 'Did the free buses reduce car traffic, and what did they cost the town?',
  documents: [
    { id: 'example-council', title: 'Report to the council', publishedAt: '2025-10-02', text: council },
    { id: 'example-gazette', title: 'Marrowby Gazette', publishedAt: '2025-10-11', text: gazette },
    { id: 'example-university', title: 'University of Aldmoor: survey', publishedAt: '2025-11-04', text: university },
    { id: 'example-operator', title: 'Marrowby Town Transport', publishedAt: '2025-09-18', text: operator },
    { id: 'example-union', title: 'Drivers’ union', publishedAt: '2025-10-06', text: union },
    { id: 'example-shops', title: 'Traders’ association', publishedAt: '2025-09-30', text: shops },
    { id: 'example-finance', title: 'Note of the finance officer', publishedAt: '2025-11-10', text: finance },
    { id: 'example-neighbour', title: 'Letter from Thornley', publishedAt: '2025-10-20', text: neighbour },
  ],
};
