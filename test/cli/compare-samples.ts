import { CITY, CITY_INTENT } from '../support/documents.ts';

/** Arms with a sweep and one that needs a model. */
export const CONFIGURATION = {
  name: 'Small & <fine>',
  baseline: 'random, keyPoints 2',
  arms: [
    { name: 'map', options: { selection: { size: { keyPoints: 3 } }, summary: { format: 'bullets' } } },
    {
      name: 'random',
      options: { selection: { strategy: 'random' }, summary: { format: 'bullets' } },
      sweep: { 'selection.size.keyPoints': [2, 4] },
    },
    { name: 'written', options: { engine: { writer: 'llm' } }, requires: 'model' },
  ],
};

export const DATA = [
  {
    id: 'sales',
    documents: CITY,
    intent: CITY_INTENT,
    insights: [
      { id: 'fall', text: 'Sales in the old town will fall.', documents: ['meeting', 'shops'] },
      { id: 'charge', text: 'The charge is 4 euros.', documents: ['council', 'university'] },
    ],
  },
  {
    id: 'trams',
    documents: CITY,
    intent: 'What will happen to the trams?',
    insights: [
      { id: 'line', text: 'The second tram line will connect the station with the hospital.', documents: ['tram'] },
    ],
    questions: [{ question: 'How many new drivers are needed?', answer: 'Forty new drivers.', document: 'tram' }],
  },
  {
    id: 'air',
    documents: CITY.slice(0, 4),
    intent: { problem: 'What becomes of the air near schools?', background: 'There is a charge.' },
  },
];
