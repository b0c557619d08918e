import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResolvedRequest } from '../../../src/digest/index.ts';
import { outlineOf } from '../../../src/summary/index.ts';
import { materialOf } from '../../../src/summary/rewrite/material.ts';
import { escapeMarkers } from '../../../src/text/index.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { askedIn, dataIn, givenPoints, good, goodBut, pointsToGrade } from '../../support/good-model.ts';
import { callsOf, modelApp } from '../../support/model-app.ts';
import { lastUser, type Script } from '../../support/scripted-model-server.ts';

const AUTO = { parts: { extractor: 'auto' } } as const;
const asked: ResolvedRequest = { documents: CITY, intent: CITY_INTENT };

test('documents that fit the context are read whole by the writer, then by the editor, and no model extracts', async () => {
  const app = await modelApp(good, AUTO);
  const digest = await app.digest(asked);
  expect(callsOf(app.server)).toEqual({ write: 1, edit: 1 });
  expect(digest).toMatchObject({ status: 'completed', engine: { extractor: expect.stringMatching(/^sentences/) } });
  for (const request of app.server.requests) {
    const shown = dataIn(request, 'document').map(({ text }) => text.replace(/\[\d+\] /g, ''));
    for (const [place, { text }] of CITY.entries()) expect(shown[place]).toContain(text);
  }
  // The selection is the checklist of the editor; a writer would tell all of it.
  const [write, edit] = app.server.requests.map(lastUser);
  expect(write).not.toContain('important');
  const important = /Marked as important by a first reading: ([\d, ]+)\./.exec(edit)?.[1] ?? '';
  expect(important.split(', ')).toHaveLength(digest.keyPoints.filter(({ selected }) => selected).length);
  // What the selection left out can be cited as well, word for word.
  const cited = new Set(digest.summary.sentences.flatMap(({ keyPoints }) => keyPoints));
  expect(digest.keyPoints.some(({ id, selected }) => !selected && cited.has(id))).toBe(true);
  const { digest: streamed } = await (await modelApp(good, AUTO)).streamed(asked);
  expect(streamed.summary).toEqual(digest.summary);
});

test('the printed text is the edited one, with the lines of the editor about what is left out', async () => {
  const app = await modelApp(
    goodBut(['edit'], (request) => {
      const [, [second]] = givenPoints(request);
      return { text: `${second.text} [${second.number}]\nLEFT OUT: the rest\nNOT ANSWERED: 2` };
    }),
    AUTO,
  );
  const digest = await app.digest(asked);
  const told = digest.summary.sentences.filter(({ framing }) => !framing);
  expect(told).toHaveLength(1);
  expect(told[0].citations[0].document).toBe(CITY[1].id);
  expect(digest.writing?.leftOut?.every(({ reason }) => reason === 'writer')).toBe(true);
});

test('without an answer of the editor the draft is printed, and the digest is partial', async () => {
  const app = await modelApp(
    goodBut(['edit'], () => ({ status: 400, text: 'no' })),
    AUTO,
  );
  const digest = await app.digest(asked);
  const whole = await (await modelApp(good, AUTO)).digest(asked);
  expect(digest.status).toBe('partial');
  expect(digest.summary.text).toBe(whole.summary.text);
});

test.each([
  ['a judge that fails', goodBut(['judge'], () => ({ status: 400, text: 'no' })), {}],
  ['sentences that cite nothing', goodBut(['edit', 'write'], () => ({ text: 'All is well. Nothing is known.' })), {}],
  ['a check by rules', good, { verify: 'rules' }],
] as const)('with %s quotes answer instead', async (_, script, engine) => {
  const paraphrased: Script = async (request, index) => {
    const reply = await script(request, index);
    const isEdit = askedIn(request) === 'edit' && 'text' in reply;
    return isEdit ? { ...reply, text: `${reply.text}`.replaceAll('fell', 'sank') } : reply;
  };
  const digest = await (await modelApp(paraphrased, AUTO)).digest({ ...asked, engine });
  expect(digest.intent?.answered).not.toBe('no');
  const told = digest.summary.sentences.filter(({ framing }) => !framing);
  expect(told.length).toBeGreaterThan(0);
  expect(told.every(({ verification }) => verification === undefined || verification === 'verbatim')).toBe(true);
});

test.each(['Sure! It is good as it is.', '{"text": "ok"}'])(
  'an edit that cites nothing leaves the draft: %s',
  async (text) => {
    const app = await modelApp(
      goodBut(['edit'], () => ({ text })),
      AUTO,
    );
    const whole = await (await modelApp(good, AUTO)).digest(asked);
    expect((await app.digest(asked)).summary.text).toBe(whole.summary.text);
    const { digest } = await (
      await modelApp(
        goodBut(['edit'], () => ({ text })),
        AUTO,
      )
    ).streamed(asked);
    expect(digest.summary.text).toBe(whole.summary.text);
  },
);

test('what an earlier digest told is not read whole, so that it is not told again', async () => {
  const app = await modelApp(good, AUTO);
  const { id, summary } = await app.digest(asked);
  const documents = CITY.map(({ text, ...document }) => ({ ...document, text: `${text} The sea is calm today.` }));
  const intent = { problem: CITY_INTENT, background: { digest: id } };
  // The digest is named here, as callers do, and resolved by the service.
  const again = await app.digest({ documents, intent } as unknown as ResolvedRequest);
  expect(callsOf(app.server)).toMatchObject({ grade: 1 });
  const told = again.summary.sentences.filter(({ framing }) => !framing).map(({ text }) => text);
  expect(told.filter((text) => summary.text.includes(text))).toEqual([]);
});

test('an answer may be as long as its words need, however short the checklist', async () => {
  const app = await modelApp(good, AUTO);
  await app.digest({ ...asked, selection: { size: { keyPoints: 1 } }, summary: { maxWords: 1000 } });
  for (const { body } of app.server.requests)
    expect(body.max_completion_tokens ?? body.max_tokens).toBeGreaterThan(3000);
});

test('a writing model that a request alone asks for reads the documents', async () => {
  const app = await modelApp(good, { parts: { extractor: 'sentences', writer: 'compose' } });
  await app.digest({ ...asked, engine: { writer: 'llm' } });
  expect(callsOf(app.server)).toEqual({ write: 1, edit: 1 });
});

test('documents that do not fit are read sentence by sentence with the question in hand; without one a model extracts', async () => {
  const small = { ...AUTO, model: { contextTokens: 1024 } };
  const long = CITY.map(({ text, ...document }) => ({ ...document, text: `${text}\n\n`.repeat(6) }));
  const app = await modelApp(good, small);
  const digest = await app.digest({ ...asked, documents: long });
  const readings = app.server.requests.filter((request) => askedIn(request) === 'grade');
  expect(readings.length).toBeGreaterThan(0);
  expect(readings.every((request) => lastUser(request).includes(CITY_INTENT))).toBe(true);
  const shown = readings.flatMap((request) => pointsToGrade(request));
  expect(shown).toHaveLength(digest.keyPoints.length);
  expect(callsOf(app.server)).toMatchObject({ write: 1, edit: 1 });
  expect(callsOf(app.server)).not.toHaveProperty('extract');
  const open = await modelApp(good, small);
  await open.digest({ documents: long });
  expect(open.server.requests.some((request) => askedIn(request) === 'extract')).toBe(true);
});

test('what is no key point can be cited too: a heading, a line of a chat', async () => {
  const text = 'Log of 19 April\n\nmo_: blank in frost\n\nThe display was exchanged in May by the dealer.';
  const app = await modelApp(
    goodBut(['write'], () => ({ text: 'Log of 19 April [1]\n\nmo_: blank in frost [2]' })),
    AUTO,
  );
  const { summary, keyPoints } = await app.digest({ documents: [{ id: 'a', text }], intent: 'What broke?' });
  expect(dataIn(app.server.requests[0], 'document')[0].text).toContain(
    '[1] Log of 19 April\n\n[2] mo_: blank in frost',
  );
  const quotes = summary.sentences.flatMap(({ citations }) => citations.map(({ quote }) => quote.text));
  expect(quotes).toContain('Log of 19 April');
  expect(keyPoints.map(({ quote }) => quote.text)).not.toContain('Log of 19 April');
});

test('a request, or the service, can ask for key points of a model all the same', async () => {
  const app = await modelApp(good, AUTO);
  await app.digest({ ...asked, engine: { extractor: 'llm' } });
  expect(callsOf(app.server)).toMatchObject({ extract: CITY.length, write: 1 });
});

test('the documents are shown as they are, but for the numbers, and for brackets that look like numbers', () => {
  const words = fc.constantFrom(
    'Fares rose. ',
    '[3] ',
    '[sic] ',
    '\n',
    '\n\n',
    'Who pays? ',
    '| a | 1 |\n',
    '# Fares\n',
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), fc.nat(40), fc.nat(40), (parts, one, other) => {
      const text = parts.join('');
      const points = [...new Set([one % text.length, other % text.length])].map((start, n) => ({
        ...{
          id: `p${n}`,
          document: 'a',
          text: 'Fares rose.',
          quote: { text: text.slice(start), start, end: text.length },
        },
        ...{ relevance: 1, salience: 0, rank: n + 1, facet: null, supports: [] },
      }));
      const [selected, ...others] = points;
      const documents = [{ id: 'a', text }];
      const input = { points: [selected], similarity: Float64Array.of(1), documents, intent: null, maxWords: null };
      const material = materialOf(outlineOf({ ...input, format: 'report' }), documents, others);
      const starts = points.map(({ quote }) => quote.start).sort((a, b) => a - b);
      const pieces = [0, ...starts].map((start, n) => escapeMarkers(text.slice(start, starts[n])));
      expect(material.documents?.[0].text).toBe(pieces.map((piece, n) => (n === 0 ? '' : `[${n}] `) + piece).join(''));
      expect(material.points.map(({ number }) => number)).toEqual(points.map((_, n) => n + 1));
      expect(material.ranked.map(({ own }) => own.keyPoints[0])).toEqual([selected.id]);
    }),
  );
});
