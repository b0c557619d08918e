import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src/contract/index.ts';
import type { OpenAiModelOptions } from '../../../src/models/language/openai-model.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { type Asked, givenPoints, good, goodBut } from '../../support/good-model.ts';
import { callsOf, modelApp, statedIn } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';
import type { RecordedRequest, Reply, Script } from '../../support/scripted-model-server.ts';

// How many requests each stage makes: extraction-failures.test.ts.

interface Misbehaviour {
  readonly name: string;
  readonly script: Script;
  readonly calls: Partial<Record<Asked, number>>;
  readonly status: Digest['status'];
  readonly writer?: string;
  readonly warning: string | null;
  readonly writing: Partial<NonNullable<Digest['writing']>>;
  readonly model?: Partial<OpenAiModelOptions>;
}

const request = { documents: CITY, intent: CITY_INTENT, engine: { extractor: 'sentences' } } as const;
const SHORT = { callMilliseconds: 1200, random: () => 0 };
const INVENTED = 'The mayor resigned on Friday over 12 million dollars. [1]';
const always =
  (reply: Reply): Script =>
  () =>
    reply;
const textOf = (request: RecordedRequest): string => {
  const { text } = Object.assign({ text: null }, good(request));
  return text ?? '';
};
/** A good text with its markers otherwise. */
const marked =
  (as: string): Script =>
  (asked) => ({ text: textOf(asked).replace(/ (?:\[\d+\])+/g, as) });

const NOTHING = { drafted: 0, kept: 0 };
const failure = (why: string): string =>
  `The writer failed; what it did not write is quoted from the documents: ${why}`;
const failed = { status: 'partial', writer: 'compose', writing: NOTHING } as const;
const useless = { status: 'completed' } as const;
const LATE = failure('The language model did not answer in time, after 2 requests.');
const NOT_READ = failure('The language model answered in a form that could not be read, after 3 requests.');

const WRITING: readonly Misbehaviour[] = [
  {
    name: 'prose without a marker',
    script: always({ text: 'Sure! Here is what they say about the charge.' }),
    calls: { write: 1 },
    ...useless,
    warning: 'None of the 2 sentences',
    writing: { drafted: 2, uncited: 2, kept: 0 },
  },
  {
    name: 'numbers that do not exist',
    script: marked(' [98]'),
    calls: { write: 1 },
    ...useless,
    warning: 'None of the',
    writing: { kept: 0, replaced: 0 },
  },
  {
    name: 'an invented sentence',
    script: always({ text: INVENTED }),
    calls: { write: 1, judge: 1, 'write-again': 1 },
    ...useless,
    warning: 'None of the one sentence',
    writing: { drafted: 1, kept: 0, askedAgain: 1, mended: 0, replaced: 1 },
  },
  {
    name: 'an invented sentence, mended when asked again',
    script: (asked) => (isDraft(asked) ? { text: INVENTED } : good(asked)),
    calls: { write: 1, judge: 1, 'write-again': 1 },
    status: 'completed',
    warning: null,
    writing: { drafted: 1, kept: 0, askedAgain: 1, mended: 1, replaced: 0 },
  },
  {
    name: 'a text that is cut',
    script: (asked) => ({ text: textOf(asked).slice(0, -20), finish: 'length' }),
    calls: { write: 1 },
    status: 'completed',
    warning: null,
    writing: { uncited: 1, replaced: 0 },
  },
  {
    name: 'nothing',
    script: always({ text: '' }),
    calls: { write: 1 },
    ...useless,
    writer: 'compose',
    warning: 'The language model wrote nothing',
    writing: NOTHING,
  },
  {
    name: '500',
    script: always({ status: 500 }),
    calls: { write: 3 },
    ...failed,
    warning: failure('The server of the language model failed (HTTP 500), after 3 requests.'),
  },
  {
    name: 'a stall in the body',
    script: always({ hang: 'mid-body', text: 'The ' }),
    calls: { write: 2 },
    ...failed,
    warning: LATE,
    model: SHORT,
  },
  {
    name: '200 with another schema',
    script: always({ raw: '{"ok":true}' }),
    calls: { write: 3 },
    ...failed,
    warning: NOT_READ,
  },
];

function isDraft(asked: RecordedRequest): boolean {
  return /^You answer a reader/.test(asked.body.messages?.[0]?.content ?? '');
}

describe.each(WRITING)(
  'a writer that answers with $name',
  ({ script, calls, status, writer = 'llm', warning, writing, model }) => {
    test.each(['report', 'bullets', 'brief'] as const)('as %s', async (format) => {
      const asked = { ...request, summary: { format } };
      const misbehaving = goodBut(['write', 'write-again'], script);
      const app = await modelApp(misbehaving, { model });
      const streaming = await modelApp(misbehaving, { model });
      const [digest, { digest: streamed }] = await Promise.all([app.digest(asked), streaming.streamed(asked)]);

      expect(digest.status).toBe(status);
      expect(digest.engine.writer).toBe(writer);
      expect(digest.warnings.filter((each) => /writer|language model/.test(each))).toEqual(
        warning === null ? [] : expect.arrayContaining([expect.stringContaining(warning)]),
      );
      expect(digest.writing).toMatchObject(writing);
      expect(callsOf(app.server)).toEqual(calls);
      expect(callsOf(streaming.server)).toEqual(calls);
      const { write, judge } = digest.usage.stages;
      expect((write?.requests ?? 0) + (judge?.requests ?? 0)).toBe(app.server.requests.length);
      expect(digest.summary.text).not.toMatch(/resigned|Sure!|\[98\]/);
      expect(digest.metrics.words).toBeLessThanOrEqual(250);
      expect(new Set(statedIn(digest)).size).toBe(statedIn(digest).length);
      expect(answered(streamed)).toEqual(answered(digest));
    });
  },
);

test('what was told of a stream before it broke for good stands, and the rest is in the own wording of the points', async () => {
  const begun: Script = (asked) => {
    const [first, second] = givenPoints(asked).flat();
    return { hang: 'mid-body', text: `${first.text} [${first.number}] ${second.text} [${second.number}] And then` };
  };
  const app = await modelApp(goodBut(['write'], begun), { model: SHORT });
  const { digest } = await app.streamed(request);
  expect(callsOf(app.server)).toEqual({ write: 2 });
  expect(digest.status).toBe('partial');
  expect(digest.engine.writer).toBe('llm');
  expect(digest.warnings).toContain(LATE);
  expect(digest.writing).toMatchObject({ kept: 1, uncited: 0, replaced: 0 });
  expect(digest.summary.text).not.toContain('And then');
  expect(statedIn(digest)).toEqual([...new Set(statedIn(digest))]);
});
