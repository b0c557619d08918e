import { describe, expect, test } from 'vitest';
import type { OpenAiModelOptions } from '../../../src/models/language/openai-model.ts';
import { type Asked, dataIn, good, goodBut, keyPointsOf, statementsIn } from '../../support/good-model.ts';
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
 * | what a call meets                          | requests of that call                                        |
 * | ------------------------------------------ | ------------------------------------------------------------ |
 * | an answer, of whatever use                 | 1                                                            |
 * | JSON that cannot be read                   | 2: it is asked for once more, and given up then              |
 * | 429, 5xx, 408, 409, a broken connection, 200 with something else than a completion | a                    |
 * | no answer, or one that stalls              | 2: an attempt takes half of the call's time at most          |
 * | 400 or 422 for a parameter or answer form  | 1 more for each that is done without, 6 at most              |
 * | a refusal                                  | 1                                                            |
 * | 401, 403, 404, no quota                    | 1, and none that waits for its turn in the stage             |
 *
 * A first reading that finds no quote at all is followed by one `extract-more`, and none where it is conditioned.
 */

interface Misbehaviour {
  readonly name: string;
  readonly script: Script;
  /** Requests for one document. */
  readonly calls: Partial<Record<Asked, number>>;
  readonly status: 'failed' | 'empty' | 'ok';
  readonly why: string | null;
  /** Whether its wording is not the quote's, and has to be judged. */
  readonly isJudged?: boolean;
  readonly model?: Partial<OpenAiModelOptions>;
}

const SHORT = { callMilliseconds: 1200, random: () => 0 };
const always =
  (reply: Reply): Script =>
  () =>
    reply;
const documentOf = (request: RecordedRequest) => dataIn(request, 'document')[0].text;

/** Without its end, which is in the middle of the last quote. */
const cut = (json: string): string => json.slice(0, -30).replace(/ \S*$/, '');

const MALFORMED = 'answered twice in a form that could not be read';
const NOT_READ = 'in a form that could not be read, after 3 requests.';
const LATE = 'did not answer in time, after 2 requests.';
const BROKEN = 'could not be reached, or the connection broke, after 3 requests.';
const EXTRACTION: readonly Misbehaviour[] = [
  {
    name: 'prose',
    script: always({ text: 'Sure! It is about a charge.' }),
    calls: { extract: 1, form: 1 },
    status: 'failed',
    why: MALFORMED,
  },
  {
    name: 'JSON cut in the middle',
    script: (request) => ({ text: cut(keyPointsOf(statementsIn(documentOf(request)))), finish: 'length' }),
    calls: { extract: 1 },
    status: 'ok',
    why: null,
    isJudged: true,
  },
  {
    name: 'invented quotes',
    script: always({ text: keyPointsOf(['The mayor resigned on Friday.']) }),
    calls: { extract: 1, 'extract-more': 1 },
    status: 'empty',
    why: "None of the language model's key points has a quote from the document.",
  },
  {
    name: '429',
    script: always({ status: 429, headers: { 'retry-after': '7' } }),
    calls: { extract: 3 },
    status: 'failed',
    why: 'takes no more requests for now (HTTP 429), after 3 requests.',
  },
  {
    name: 'a stall in the body',
    script: always({ hang: 'mid-body', text: '{"keyPoints":[' }),
    calls: { extract: 2 },
    status: 'failed',
    why: LATE,
    model: SHORT,
  },
  { name: 'a connection reset', script: always({ reset: true }), calls: { extract: 3 }, status: 'failed', why: BROKEN },
  {
    name: '200 with another schema',
    script: always({ raw: '{"ok":true}' }),
    calls: { extract: 3 },
    status: 'failed',
    why: NOT_READ,
  },
];

const request = { documents: NOTES, intent: NOTES_INTENT };

function times(calls: Misbehaviour['calls'], count: number): Misbehaviour['calls'] {
  return Object.fromEntries(Object.entries(calls).map(([asked, each]) => [asked, each * count]));
}

describe.each(EXTRACTION)('extraction that meets $name', ({ script, calls, status, why, model, isJudged = false }) => {
  test('at every document', async () => {
    const misbehaving = goodBut(['extract', 'extract-more'], script);
    const app = await modelApp(misbehaving, { model });
    const streaming = await modelApp(misbehaving, { model });
    const [digest, { digest: streamed }] = await Promise.all([app.digest(request), streaming.streamed(request)]);

    expect(digest.documents.map((document) => document.status)).toEqual([status, status, status]);
    for (const { error } of digest.documents) {
      const code = status === 'failed' ? 'extraction-failed' : 'extraction-incomplete';
      expect(error).toEqual(why === null ? null : { code, message: expect.stringContaining(why) });
    }
    expect(digest.status).toBe({ failed: 'failed', empty: 'partial', ok: 'completed' }[status]);
    expect(statedIn(digest).length > 0).toBe(status === 'ok');
    expect(callsOf(app.server)).toEqual({
      ...times(calls, 3),
      ...(status === 'ok' && { write: 1 }),
      ...(isJudged && { judge: 1 }),
    });
    expect(digest.usage.requests).toBe(app.server.requests.length);
    expect(callsOf(streaming.server)).toEqual(callsOf(app.server));
    expect(answered(streamed)).toEqual(answered(digest));
    expect(app.parts.failures).toHaveLength(status === 'ok' ? 0 : 3);
  });

  test('at one document, which leaves the others', async () => {
    const app = await modelApp(
      (asked, index) => {
        const isExtraction = dataIn(asked, 'document').some(({ text }) => text === NOTES[1].text);
        return isExtraction ? script(asked, index) : good(asked);
      },
      { model },
    );
    const digest = await app.digest(request);
    const [shops, others] = [true, false].map((isShops) =>
      digest.documents.filter(({ id }) => (id === 'shops') === isShops),
    );
    expect(shops).toMatchObject([{ status, error: why === null ? null : { message: expect.stringContaining(why) } }]);
    expect(others).toMatchObject([
      { status: 'ok', error: null },
      { status: 'ok', error: null },
    ]);
    expect(digest.status).toBe(status === 'ok' ? 'completed' : 'partial');
    expect(statedIn(digest).length).toBeGreaterThan(0);
    expect(callsOf(app.server)).toEqual({
      ...calls,
      extract: Number(calls.extract) + 2,
      write: 1,
      ...(isJudged && { judge: 1 }),
    });
  });
});

test('an answer in a wrong form is asked for again with what was wrong, and the second one counts', async () => {
  const app = await modelApp((asked) => {
    const isFirst = asked.body.messages?.length === 2 && dataIn(asked, 'document').length > 0;
    return isFirst ? { text: 'One moment, please.' } : good(asked);
  });
  const digest = await app.digest(request);
  expect(callsOf(app.server)).toEqual({ extract: 3, form: 3, write: 1 });
  expect(digest.status).toBe('completed');
  expect(digest.writing).toMatchObject({ kept: digest.writing?.drafted, replaced: 0 });
});
