import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventParser, type RawEvent } from '../../src/client/parse-events.ts';
import { chunksOf, cuts } from './cuts.ts';

const parsed = (...pieces: readonly string[]): RawEvent[] => pieces.flatMap(eventParser());
const message = (data: string): RawEvent => ({ event: 'message', id: null, data });

test.each<[string, string, RawEvent[]]>([
  ['an event with everything', 'id: 1\nevent: progress\ndata: {}\n\n', [{ event: 'progress', id: '1', data: '{}' }]],
  ['several lines of data', 'data: a\ndata:\ndata:  b\n\n', [message('a\n\n b')]],
  ['comments and a heartbeat', ': still here\n\n:\ndata: a\n: more\n\n', [message('a')]],
  ['an event without data', 'event: progress\nid: 4\n\ndata: a\n\n', [message('a')]],
  ['fields that are not known', 'retry: 10\nodd\ndata: a\n\n', [message('a')]],
  ['data without a space or colon', 'data:a\n\ndata\n\n', [message('a'), message('')]],
  ['an id with a null', 'id: 1\0\ndata: a\n\n', [message('a')]],
  ['CRLF, CR and LF', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', [message('a'), message('b'), message('c')]],
  ['an event without its end', 'data: a\n\ndata: b\n', [message('a')]],
])('%s', (_, text, events) => {
  expect(parsed(text)).toEqual(events);
  expect(parsed(...text)).toEqual(events);
});

test('an event is told as soon as its empty line is there, also where that is half of a CRLF', () => {
  const parse = eventParser();
  expect(parse('data: a\r\n\r')).toEqual([message('a')]);
  expect(parse('')).toEqual([]);
  expect(parse('\ndata: b\r\n')).toEqual([]);
  expect(parse('\r\n')).toEqual([message('b')]);
});

test('a CRLF that is cut in two ends one line, not two', () => {
  expect(parsed(...'event: progress\r\ndata: a\r\ndata: b\r\n\r\n')).toEqual([
    { event: 'progress', id: null, data: 'a\nb' },
  ]);
});

test('whatever is told comes out, however it is cut', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
  const event = fc.record({
    id: fc.option(fc.nat().map(String)),
    event: fc.constantFrom('message', 'progress', 'sentence'),
    data: fc.array(line, { minLength: 1, maxLength: 4 }),
    comment: fc.option(line),
  });
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom('\n', '\r', '\r\n'), cuts, (events, end, places) => {
      const text = events
        .map(({ id, event, data, comment }) =>
          [
            ...(comment === null ? [] : [`: ${comment}`]),
            ...(id === null ? [] : [`id: ${id}`]),
            `event: ${event}`,
            ...data.map((each) => `data: ${each}`),
            '',
            '',
          ].join(end),
        )
        .join('');
      expect(parsed(...chunksOf(text, places))).toEqual(
        events.map(({ id, event, data }) => ({ id, event, data: data.join('\n') })),
      );
    }),
    { seed: 6, numRuns: 300 },
  );
});
