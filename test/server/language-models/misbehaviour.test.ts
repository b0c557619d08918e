import { expect, test } from 'vitest';
import { type Digest, FORMATS, type SelectionRequest } from '../../../src/contract/index.ts';
import type { OpenAiModelOptions } from '../../../src/models/language/openai-model.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { type Asked, dataIn, givenPoints, good, goodBut, keyPointsOf, statementsIn } from '../../support/good-model.ts';
import { callsOf, modelApp, NOTES, NOTES_INTENT, statedIn } from '../../support/model-app.ts';
import { answered } from '../../support/promises.ts';
import type { RecordedRequest, Reply, Script } from '../../support/scripted-model-server.ts';

/*
 * HTTP requests of one digest, where every call of a stage goes as the row says (w: windows of all documents, a third
 * of the context or 24,000 bytes each; r: rounds, 2 by default; a: attempts, `TESSERA_MODEL_ATTEMPTS`):
 *
 * | stage                  | calls when all is well               | most calls                     |
 * | ---------------------- | ------------------------------------ | ------------------------------ |
 * | facets                 | 1 with `relevance.facets: "llm"`     | 2 (a malformed answer)         |
 * | extract                | w, where a round passes nothing over | 2wr (each malformed once)      |
 * | select                 | 1 with the strategy `llm`            | 2                              |
 * | write                  | 1 for every 120 points (or what fits) | the same                      |
 * | write-again            | 0                                    | 1, for all that failed         |
 * | judge                  | 0 where all is the quotes' wording   | 2, each malformed once         |
 * | naive                  | 1 with the strategy `naive`          | 2, and nothing else but facets |
 *
 * A call makes 1 request for an answer, of whatever use, for a refusal and for 401, 403, 404 and no quota; 2 for JSON that
 * cannot be read and for no answer in time; a for 429, 5xx, 408, 409, a broken connection and 200 with something else.
 * A first reading that finds no quote at all is followed by one `extract-more`, and none where it is conditioned.
 */

const always =
  (reply: Reply): Script =>
  () =>
    reply;
const FAILED = always({ status: 500 });
const LIMITED = always({ status: 429, headers: { 'retry-after': '7' } });
const RESET = always({ reset: true });
const OTHER = always({ raw: '{"ok":true}' });
const PROSE = always({ text: 'Sure! It is about a charge.' });
const SHORT: Partial<OpenAiModelOptions> = { callMilliseconds: 800, random: () => 0 };
const NOT_READ = 'in a form that could not be read, after 3 requests.';

type Calls = Partial<Record<Asked, number>>;
const times = (calls: Calls, count: number): Calls =>
  Object.fromEntries(Object.entries(calls).map(([asked, each]) => [asked, each * count]));

interface Extraction {
  readonly script: Script;
  /** Requests for one document. */
  readonly calls: Calls;
  readonly status: 'failed' | 'empty' | 'ok';
  readonly why?: string;
  readonly model?: Partial<OpenAiModelOptions> | undefined;
}

const documentOf = (request: RecordedRequest) => dataIn(request, 'document')[0].text;
/** Without its end, which is in the middle of the last quote. */
const cut = (json: string): string => json.slice(0, -30).replace(/ \S*$/, '');
const failed = (script: Script, requests: number, why: string, model?: Extraction['model']): Extraction => ({
  script,
  calls: { extract: requests },
  status: 'failed',
  why,
  model,
});
const EXTRACTIONS: Readonly<Record<string, Extraction>> = {
  prose: {
    script: PROSE,
    calls: { extract: 1, form: 1 },
    status: 'failed',
    why: 'answered twice in a form that could not be read',
  },
  'JSON cut in the middle': {
    script: (request) => ({ text: cut(keyPointsOf(statementsIn(documentOf(request)))), finish: 'length' }),
    calls: { extract: 1 },
    status: 'ok',
  },
  'invented quotes': {
    script: always({ text: keyPointsOf(['The mayor resigned on Friday.']) }),
    calls: { extract: 1, 'extract-more': 1 },
    status: 'empty',
    why: "None of the language model's key points has a quote from the document.",
  },
  '429': failed(LIMITED, 3, 'takes no more requests for now (HTTP 429), after 3 requests.'),
  'a stall in the body': failed(
    always({ hang: 'mid-body', text: '{"keyPoints":[' }),
    2,
    'did not answer in time, after 2 requests.',
    SHORT,
  ),
  'a connection reset': failed(RESET, 3, 'could not be reached, or the connection broke, after 3 requests.'),
  '200 with another schema': failed(OTHER, 3, NOT_READ),
};

test.each(Object.entries(EXTRACTIONS).flatMap(([name, row]) => [3, 1].map((count) => [name, count, row] as const)))(
  'extraction that meets %s, at %i of three documents',
  async (_, count, { script, calls, status, why, model }) => {
    const isMet = (text: string) => count === 3 || text === NOTES[1].text;
    const misbehaving: Script = (asked, index) => {
      const isExtraction = dataIn(asked, 'document').some(({ text }) => isMet(text));
      return isExtraction ? script(asked, index) : good(asked);
    };
    const request = { documents: NOTES, intent: NOTES_INTENT };
    const [app, streaming] = [await modelApp(misbehaving, { model }), await modelApp(misbehaving, { model })];
    const [digest, { digest: streamed }] = await Promise.all([app.digest(request), streaming.streamed(request)]);
    expect(answered(streamed)).toEqual(answered(digest));
    expect(callsOf(streaming.server)).toEqual(callsOf(app.server));
    const met = new Set(NOTES.filter(({ text }) => isMet(text)).map(({ id }): string => id));
    for (const document of digest.documents) {
      const code = status === 'failed' ? 'extraction-failed' : 'extraction-incomplete';
      const error = why !== undefined && met.has(document.id) ? { code, message: expect.stringContaining(why) } : null;
      expect([document.status, document.error]).toEqual([met.has(document.id) ? status : 'ok', error]);
    }
    const ends = { failed: count === 3 ? 'failed' : 'partial', empty: 'partial', ok: 'completed' };
    expect(digest.status).toBe(ends[status]);
    const isWritten = status === 'ok' || count < 3;
    expect(statedIn(digest).length > 0).toBe(isWritten);
    expect(callsOf(app.server)).toEqual({
      ...times(calls, count),
      extract: count * Number(calls.extract) + 3 - count,
      ...(isWritten && { write: 1 }),
      ...(status === 'ok' && { judge: 1 }), // a wording that is not the quote's
    });
    expect(digest.usage.requests).toBe(app.server.requests.length);
    expect(app.parts.failures).toHaveLength(status === 'ok' ? 0 : count);
  },
);

test('an answer in a wrong form is asked for again with what was wrong, and the second one counts', async () => {
  const app = await modelApp((asked) => {
    const isFirst = asked.body.messages?.length === 2 && dataIn(asked, 'document').length > 0;
    return isFirst ? { text: 'One moment, please.' } : good(asked);
  });
  const digest = await app.digest({ documents: NOTES, intent: NOTES_INTENT });
  expect(callsOf(app.server)).toEqual({ extract: 3, form: 3, write: 1 });
  expect(digest.writing).toMatchObject({ kept: digest.writing?.drafted, replaced: 0 });
});

interface Writing {
  readonly script: Script;
  readonly calls: Calls;
  readonly warning?: string;
  readonly writing?: Partial<NonNullable<Digest['writing']>>;
  readonly writer?: string;
  readonly status?: Digest['status'];
  readonly model?: Partial<OpenAiModelOptions> | undefined;
}

const INVENTED = 'The mayor resigned on Friday over 12 million dollars. [1]';
const textOf = (request: RecordedRequest): string => Object.assign({ text: '' }, good(request)).text;
const isDraft = (asked: RecordedRequest) => /^You answer a reader/.test(asked.body.messages?.[0]?.content ?? '');
const failure = (why: string) => `The writer failed; what it did not write is quoted from the documents: ${why}`;
const LATE = failure('The language model did not answer in time, after 2 requests.');
const broken = (script: Script, requests: number, warning: string, model?: Writing['model']): Writing => ({
  script,
  calls: { write: requests },
  warning,
  writing: { drafted: 0, kept: 0 },
  writer: 'compose',
  status: 'partial',
  model,
});
const WRITINGS: Readonly<Record<string, Writing>> = {
  'prose without a marker': {
    script: always({ text: 'Sure! Here is what they say about the charge.' }),
    calls: { write: 1 },
    warning: 'None of the 2 sentences',
    writing: { drafted: 2, uncited: 2, kept: 0 },
  },
  'numbers that do not exist': {
    script: (asked) => ({ text: textOf(asked).replace(/ (?:\[\d+\])+/g, ' [98]') }),
    calls: { write: 1 },
    warning: 'None of the',
    writing: { kept: 0, replaced: 0 },
  },
  'an invented sentence': {
    script: always({ text: INVENTED }),
    calls: { write: 1, judge: 1, 'write-again': 1 },
    warning: 'None of the one sentence',
    writing: { drafted: 1, kept: 0, askedAgain: 1, mended: 0, replaced: 1 },
  },
  'an invented sentence, mended when asked again': {
    script: (asked) => (isDraft(asked) ? { text: INVENTED } : good(asked)),
    calls: { write: 1, judge: 1, 'write-again': 1 },
    writing: { drafted: 1, kept: 0, askedAgain: 1, mended: 1, replaced: 0 },
  },
  'a text that is cut': {
    script: (asked) => ({ text: textOf(asked).slice(0, -20), finish: 'length' }),
    calls: { write: 1 },
    writing: { uncited: 1, replaced: 0 },
  },
  nothing: {
    script: always({ text: '' }),
    calls: { write: 1 },
    warning: 'The language model wrote nothing',
    writing: { drafted: 0, kept: 0 },
    writer: 'compose',
  },
  '500': broken(FAILED, 3, failure('The server of the language model failed (HTTP 500), after 3 requests.')),
  'a stall in the body': broken(always({ hang: 'mid-body', text: 'The ' }), 2, LATE, SHORT),
  '200 with another schema': broken(OTHER, 3, failure(`The language model answered ${NOT_READ}`)),
};

const WRITTEN = { documents: CITY, intent: CITY_INTENT, engine: { extractor: 'sentences' } } as const;

test.each(Object.entries(WRITINGS).map(([name, row], i) => [name, FORMATS[i % FORMATS.length], row] as const))(
  'a writer that answers with %s, as %s',
  async (_, format, { script, calls, warning, writing = {}, writer = 'llm', status = 'completed', model }) => {
    const asked = { ...WRITTEN, summary: { format } };
    const misbehaving = goodBut(['write', 'write-again'], script);
    const [app, streaming] = [await modelApp(misbehaving, { model }), await modelApp(misbehaving, { model })];
    const [digest, { digest: streamed }] = await Promise.all([app.digest(asked), streaming.streamed(asked)]);
    expect(answered(streamed)).toEqual(answered(digest));
    expect([digest.status, digest.engine.writer]).toEqual([status, writer]);
    expect(digest.warnings.filter((each) => /writer|language model/.test(each))).toEqual(
      warning === undefined ? [] : expect.arrayContaining([expect.stringContaining(warning)]),
    );
    expect(digest.writing).toMatchObject(writing);
    expect([callsOf(app.server), callsOf(streaming.server)]).toEqual([calls, calls]);
    const { write, judge } = digest.usage.stages;
    expect((write?.requests ?? 0) + (judge?.requests ?? 0)).toBe(app.server.requests.length);
    expect(digest.summary.text).not.toMatch(/resigned|Sure!|\[98\]/);
    expect(digest.metrics.words).toBeLessThanOrEqual(250);
    expect(new Set(statedIn(digest)).size).toBe(statedIn(digest).length);
  },
);

test('what was told of a stream before it broke for good stands, and the rest is in the own wording of the points', async () => {
  const begun: Script = (asked) => {
    const [first, second] = givenPoints(asked).flat();
    return { hang: 'mid-body', text: `${first.text} [${first.number}] ${second.text} [${second.number}] And then` };
  };
  const app = await modelApp(goodBut(['write'], begun), { model: SHORT });
  const { digest } = await app.streamed(WRITTEN);
  expect(callsOf(app.server)).toEqual({ write: 2 });
  expect(digest).toMatchObject({ status: 'partial', engine: { writer: 'llm' } });
  expect(digest.warnings).toContain(LATE);
  expect(digest.writing).toMatchObject({ kept: 1, uncited: 0, replaced: 0 });
  expect(digest.summary.text).not.toContain('And then');
});

const EMBEDDED = { parts: { extractor: 'sentences', writer: 'compose' } } as const;
/** Stages that go on without the model: what is asked of it, what stands in for it, and what the digest says. */
const STANDINS: Readonly<Record<string, readonly [Asked, SelectionRequest, SelectionRequest, RegExp]>> = {
  'relevance is the encoder’s': [
    'grade',
    { relevance: { encoder: 'llm' } },
    { relevance: { gate: 0.05 } },
    /^Grading by the language model failed: .+; the encoder's relevance was used instead\.$/,
  ],
  'the default strategy selects': [
    'select',
    { strategy: 'llm' },
    {},
    /^(?:Selecting by the language model failed: The |The model selected no key point).+selected by "dpp-map" instead/,
  ],
  'the intent is split by rules': [
    'facets',
    { relevance: { facets: 'llm' } },
    { relevance: { facets: true } },
    /^(?:Splitting the intent by the language model failed|The language model named no part).+ split by rules instead\.$/,
  ],
};
const REPLIES: readonly (readonly [string, Script, number])[] = [
  ['prose', PROSE, 2],
  ['another schema', always({ text: '{"answer":[1]}' }), 2],
  ['500', FAILED, 3],
  ['429', LIMITED, 3],
  ['a connection reset', RESET, 3],
  ['no completion', OTHER, 3],
];
const USELESS: readonly (readonly [string, string, Script, number])[] = [
  ['the default strategy selects', 'none', always({ text: '{"picked":[]}' }), 1],
  ['the default strategy selects', 'none that is there', always({ text: '{"picked":[98,99]}' }), 1],
  ['the intent is split by rules', 'no part', always({ text: '{"parts":[]}' }), 1],
  ['the intent is split by rules', 'an address', always({ text: '{"parts":["Pay at evil.example"]}' }), 1],
  ['the intent is split by rules', 'blank parts', always({ text: '{"parts":[" ","?"]}' }), 1],
];

test.each([...Object.keys(STANDINS).flatMap((name) => REPLIES.map((reply) => [name, ...reply] as const)), ...USELESS])(
  '%s where the model answers %s',
  async (name, _, script, calls) => {
    const [asked, selection, instead, warning] = STANDINS[name];
    const request = { documents: CITY, intent: 'What does the charge do to sales, and who pays half of it?' };
    const app = await modelApp(goodBut([asked], script), EMBEDDED);
    const digest = await app.digest({ ...request, selection });
    expect(app.server.requests).toHaveLength(calls);
    expect(digest.status).toBe('partial');
    expect(digest.warnings.filter((each) => warning.test(each))).toHaveLength(1);
    const plain = await (await modelApp(good, EMBEDDED)).digest({ ...request, selection: instead });
    expect([digest.keyPoints, digest.summary]).toEqual([plain.keyPoints, plain.summary]);
    expect(digest.selection).toMatchObject({ strategy: 'dpp-map', relevance: plain.selection.relevance });
  },
);

test.each(REPLIES)(
  'one prompt over all documents that is answered by %s: a failed digest',
  async (_, script, calls) => {
    const app = await modelApp(goodBut(['naive'], script));
    const digest = await app.digest({ documents: NOTES, intent: NOTES_INTENT, selection: { strategy: 'naive' } });
    expect([app.server.requests.length, digest.status, statedIn(digest)]).toEqual([calls, 'failed', []]);
    expect(new Set(digest.documents.map(({ error }) => error?.code))).toEqual(new Set(['extraction-failed']));
    expect(app.parts.failures).toHaveLength(1);
  },
);
