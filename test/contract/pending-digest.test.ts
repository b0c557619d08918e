import { expect, test } from 'vitest';
import { eventParser } from '../../src/client/parse-events.ts';
import { digestSchema } from '../../src/contract/index.ts';
import { acceptedSchema, progressSchema, sentenceEventSchema } from '../../src/contract/pending-digest.ts';
import { CITY, CITY_INTENT } from '../support/documents.ts';
import { testApp } from '../support/test-deps.ts';

const SCHEMAS = {
  accepted: acceptedSchema.strict(),
  progress: progressSchema.strict(),
  sentence: sentenceEventSchema.strict(),
  digest: digestSchema.strict(),
};

test('every event of a stream is what its schema says, to the last field', async () => {
  const response = await testApp().app.request('/v1/digests', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ documents: CITY, intent: CITY_INTENT }),
  });
  const events = eventParser()(await response.text());
  expect([...new Set(events.map(({ event }) => event))]).toEqual(['accepted', 'progress', 'sentence', 'digest']);
  for (const { event, data } of events) {
    const given = JSON.parse(data);
    expect(SCHEMAS[event as keyof typeof SCHEMAS].parse(given)).toEqual(given); // named above
  }
});
