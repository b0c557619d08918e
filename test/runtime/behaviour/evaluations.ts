import { expect } from 'vitest';
import { CITY } from '../../support/documents.ts';
import type { Suite } from '../behaviour.ts';
import { pointers } from '../service.ts';

const CHARGE = 'The council approved a congestion charge of 4 euros for cars in the old town.';
const insights = [{ id: 'charge', text: CHARGE, documents: ['council'] }];
const documents = CITY.map(({ id, text }) => ({ id, text }));
const nuggets = [
  { id: 'charge', question: 'What did the council approve?', answers: [{ text: CHARGE, documents: ['council'] }] },
];
const questions = [{ question: 'What did the council approve?', answer: CHARGE, document: 'council' }];

const GIVEN = {
  summhay: { bullets: [`${CHARGE} [council]`], insights },
  'key-point-recall': { answer: CHARGE, keyPoints: [CHARGE], documents: documents.map(({ text }) => text) },
  argue: { report: { sentences: [{ text: CHARGE, citations: ['council'] }] }, nuggets, documents },
  'source-coverage': { summary: CHARGE, documents: documents.map(({ id }) => id), questions },
} as const;

/** Published measures, by the embedded judge. */
export const evaluations: Suite = (holds) => {
  for (const [metric, given] of Object.entries(GIVEN)) {
    holds(`${metric}: an encoder without token vectors judges nothing, and is named`, async ({ post, runtime }) => {
      const { calls } = runtime.ai;
      expect(await pointers(post('/v1/evaluations', { metric, ...given }))).toEqual(['/engine/encoder']);
      expect(runtime.ai.calls).toBe(calls);
    });

    holds(`${metric}: a language model that is not there is told`, async ({ post }) => {
      expect(await pointers(post('/v1/evaluations', { metric, judge: 'llm', ...given }))).toEqual(['/judge']);
    });
  }
};
