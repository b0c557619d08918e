import { describe, expect, test } from 'vitest';
import type { ResolvedRequest } from '../../../src/digest/index.ts';
import type { SourceDocument } from '../../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { askedIn, dataIn, good } from '../../support/good-model.ts';
import { modelApp } from '../../support/model-app.ts';
import type { RecordedRequest } from '../../support/scripted-model-server.ts';

const ORDERS: readonly (readonly SourceDocument[])[] = [
  CITY,
  CITY.toReversed(),
  [3, 0, 5, 1, 4, 2].map((place) => CITY[place]),
];
const EMBEDDED = { extractor: 'sentences', writer: 'compose' } as const;

const idOfTitle = (title: string) => CITY.find((document) => document.title === title)?.id;
/** Documents by the headings that their key points stand under. */
const headings = (request: RecordedRequest) =>
  [...dataIn(request, 'key points')[0].text.matchAll(/^“([^”]+)”.*:$/gm)].map(([, title]) => idOfTitle(title));
/** Documents by the words of the texts that are shown. */
const texts = (kind: string) => (request: RecordedRequest) =>
  dataIn(request, kind).map(({ text }) => CITY.find((document) => text.endsWith(document.text.slice(-40)))?.id);
/** Documents by the key points of a list without headings. */
const listed = (request: RecordedRequest) => {
  const points = dataIn(request, 'key points')[0]
    .text.split('\n')
    .map((line) => line.replace(/^\d+\. /, ''));
  const ids = points.map((point) => CITY.filter(({ text }) => text.includes(point)).map(({ id }) => id));
  return [...new Set(ids.flatMap((each) => (each.length === 1 ? each : [])))];
};

type Case = readonly [
  name: string,
  asked: 'grade' | 'write' | 'naive' | 'select',
  options: Partial<ResolvedRequest>,
  shown: (request: RecordedRequest) => readonly (string | undefined)[],
];

const CASES: readonly Case[] = [
  ['the writer', 'write', { engine: { extractor: 'sentences', writer: 'llm' } }, headings],
  [
    'the writer of a brief',
    'write',
    { engine: { extractor: 'sentences', writer: 'llm' }, summary: { format: 'brief' } },
    headings,
  ],
  ['a model that grades', 'grade', { engine: EMBEDDED, selection: { relevance: { encoder: 'llm' } } }, headings],
  ['one prompt over the documents', 'naive', { selection: { strategy: 'naive' } }, texts('document')],
  [
    'a model that picks, by its articles',
    'select',
    { engine: EMBEDDED, selection: { strategy: 'llm' } },
    texts('article'),
  ],
  ['a model that picks, by its points', 'select', { engine: EMBEDDED, selection: { strategy: 'llm' } }, listed],
];

describe('documents are shown in the order of the request', () => {
  test.each(CASES)('to %s', async (_, asked, options, shown) => {
    for (const documents of ORDERS) {
      const app = await modelApp(good);
      const digest = await app.digest({ documents, intent: CITY_INTENT, ...options });
      const ids = documents.map(({ id }) => id);
      expect(digest.documents.map(({ id }) => id)).toEqual(ids);
      const calls = app.server.requests.filter((request) => askedIn(request) === asked);
      expect(calls).toHaveLength(1);
      const found = shown(calls[0]);
      expect(found.length).toBeGreaterThan(1);
      expect(found).toEqual(ids.filter((id) => found.includes(id)));
    }
  });
});
