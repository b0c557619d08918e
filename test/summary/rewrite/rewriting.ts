import { expect } from 'vitest';
import type { Summary, SummarySentence } from '../../../src/contract/index.ts';
import { closingSentences } from '../../../src/summary/framing.ts';
import {
  type ComposeInput,
  countWords,
  modelWriter,
  outlineOf,
  type Reader,
  rewrite,
  sentenceLimit,
  type Verifier,
} from '../../../src/summary/index.ts';
import { materialOf, type NumberedPoint } from '../../../src/summary/rewrite/material.ts';
import type { Rewritten } from '../../../src/summary/rewrite/rewrite.ts';
import { isQuoted } from '../../../src/summary/verify/hold-points.ts';
import { type Claim, type Judge, textsOf } from '../../../src/summary/verify/judge-twice.ts';
import { type FakeScript, type FakeStage, fakeStage } from '../../support/fake-stage-model.ts';
import { PROMPTS } from '../../support/prompts.ts';

function promptOf(id: string) {
  const prompt = PROMPTS.get(id);
  if (prompt === undefined) throw new Error(`no prompt "${id}"`);
  return prompt;
}

const NOBODY: Reader = { question: null, userStory: null, background: null, facets: [], language: 'eng' };

interface Rewriting extends Rewritten {
  readonly stage: FakeStage;
  /** Sentences as they were told. */
  readonly told: readonly SummarySentence[];
  /** What the judge was asked, call by call. */
  readonly judged: readonly (readonly Claim[])[];
}

export interface RewritingOptions {
  readonly isCounted?: boolean;
  readonly reader?: Reader;
  readonly isStreamed?: boolean;
  readonly contextTokens?: number;
  readonly onTold?: (text: string) => void;
  readonly mode?: Verifier['mode'];
  readonly keepsDraft?: boolean;
  /** Judges by words unless told otherwise. */
  readonly judge?: Judge;
}

/** Has a scripted model write a summary. */
export async function rewriting(
  input: ComposeInput,
  script: FakeScript,
  {
    reader = NOBODY,
    isStreamed = true,
    contextTokens = 8000,
    onTold,
    mode = 'judge',
    keepsDraft,
    judge = byWords,
    isCounted = false,
  }: RewritingOptions = {},
): Promise<Rewriting> {
  const stage = fakeStage(script, contextTokens);
  const told: SummarySentence[] = [];
  const judged: (readonly Claim[])[] = [];
  const writer = modelWriter({
    model: stage.model,
    prompts: { write: promptOf('write'), again: promptOf('write-again') },
    reader,
    format: input.format,
    maxWords: input.maxWords,
    isCounted: input.format === 'bullets' && isCounted,
    fillsContext: false,
    isStreamed,
  });
  const counted: Judge = (claims) => {
    judged.push(claims);
    return judge(claims);
  };
  const rewritten = await rewrite(input, writer, {
    verifier: mode === 'judge' ? { mode, judge: counted } : { mode },
    keepsDraft,
    onSentence: (sentence) => {
      told.push(sentence);
      onTold?.(sentence.text);
    },
  });
  return { ...rewritten, stage, told, judged };
}

/** A judge that finds a claim supported where the passages hold all of its words but "and", in any order. */
export const byWords: Judge = async (claims) =>
  claims.map(({ text, passages }) => {
    const known = new Set(passages.flatMap(textsOf).flatMap(wordsOf));
    const missing = wordsOf(text).filter((word) => word !== 'and' && !known.has(word));
    return { supported: missing.length === 0, wrong: missing.slice(0, 3).join(' '), idle: [] };
  });

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The points as the model is shown them: number by wording. */
export function pointsShown(message: string): Map<string, number> {
  return new Map([...message.matchAll(/^\[(\d+)\] (.*)$/gm)].map(([, number, text]) => [text, Number(number)]));
}

/** Everything that holds of a summary whatever the model wrote. */
export async function expectPromises(
  input: ComposeInput,
  { summary, report, told, intent }: Rewriting,
  mode: Verifier['mode'] = 'judge',
) {
  const { sentences } = summary;
  const { points } = materialOf(outlineOf(input), input.documents, input.others);
  const given = new Set(points.flatMap(({ own }) => own.citations.map((citation) => JSON.stringify(citation))));
  const stated = sentences.filter(({ framing }) => !framing);
  const framed = closingSentences({ ...input, intent }, stated.length);
  expect(sentences.filter(({ framing }) => framing)).toMatchObject(framed);
  expect(sentences).toHaveLength(stated.length + framed.length);

  const own = new Set(points.map((point) => (point.quoted ?? point.own).text));
  for (const sentence of stated) {
    expect(sentence.citations).not.toEqual([]);
    for (const citation of sentence.citations) expect(given).toContain(JSON.stringify(citation));
    expect(sentence.support).toBe(sentence.verification === 'verbatim' ? 1 : null);
    if (own.has(sentence.text)) continue;
    expect(sentence.text).not.toMatch(/\p{Cc}|\p{Cs}|[\u{e0000}-\u{e007f}]|\[\s*\p{Nd}+\s*\]/u);
    const passages = points
      .filter((point) => sentence.keyPoints.includes(point.own.keyPoints[0]))
      .map((point) => point.passage);
    if (sentence.verification === 'verbatim') expect(isQuoted(sentence.text, passages)).toBe(true);
    else if (mode === 'off') expect(sentence.verification).toBe('unverified');
    else {
      expect(mode).toBe('judge');
      const [{ supported }] = await byWords([{ text: sentence.text, passages }]);
      expect(supported, sentence.text).toBe(true);
    }
  }
  const cited = new Set(stated.flatMap(({ keyPoints }) => keyPoints));
  const left = new Set(report.leftOut.map(({ keyPoint }) => keyPoint));
  for (const { id } of input.points) expect(cited.has(id), id).toBe(!left.has(id));

  expect(told).toEqual(report.drafted > 0 ? sentences : []);
  await expectLabels(stated, points, mode);
  const words = [...stated.map(({ text }) => text), ...labelsOf(stated)].reduce(
    (sum, text) => sum + countWords(text),
    0,
  );
  if (input.maxWords !== null && stated.length > 1) expect(words).toBeLessThanOrEqual(input.maxWords);
  expect(stated.length).toBeLessThanOrEqual(sentenceLimit(input.format) ?? stated.length);
  expectText(summary, input.format);
  const { drafted, kept, judged, mended, uncited, repeated, tooLong, tooMany, askedAgain, replaced, added } = report;
  expect(stated).toHaveLength(kept + judged + mended + replaced + added);
  expect(mended).toBeLessThanOrEqual(askedAgain);
  expect(report.foreign).toBeLessThanOrEqual(drafted);
  expect(kept + judged + mended + uncited + repeated + tooLong + tooMany).toBeLessThanOrEqual(drafted);
}

/** What lists stand under, each time. */
function labelsOf(sentences: readonly SummarySentence[]): string[] {
  return sentences.flatMap(({ label, paragraph }, index) =>
    label === undefined || paragraph === sentences[index - 1]?.paragraph ? [] : [label],
  );
}

/** A label stands over a list only where a sentence was held with it. */
async function expectLabels(
  stated: readonly SummarySentence[],
  points: readonly NumberedPoint[],
  mode: Verifier['mode'],
) {
  const lists = groupsBy(
    stated.filter(({ label }) => label !== undefined),
    ({ paragraph }) => paragraph,
  );
  for (const sentences of lists.values()) {
    const labels = new Set(sentences.map(({ label }) => label));
    expect(labels.size).toBe(1);
    expect(mode).not.toBe('rules');
    const [label] = labels;
    expect(label).not.toMatch(/\p{Cc}|\p{Cs}|[\u{e0000}-\u{e007f}]|\[\s*\p{Nd}+\s*\]/u);
    if (mode === 'off') continue;
    const claims = sentences.map(({ text, keyPoints }) => ({
      text: `${label}: ${text}`,
      passages: points.filter(({ own }) => keyPoints.includes(own.keyPoints[0])).map(({ passage }) => passage),
    }));
    expect((await byWords(claims)).some(({ supported }) => supported)).toBe(true);
  }
}

/** Nothing stands in the text but the sentences, their markers and their layout; sources are numbered as they are met. */
function expectText({ text, sentences, sources }: Summary, format: ComposeInput['format']) {
  const numbers = new Map(sources.map(({ document, number }) => [document, number]));
  const met = [...new Set(sentences.flatMap(({ citations }) => citations.map(({ document }) => document)))];
  expect(sources.map(({ document }) => document)).toEqual(met);
  expect(sources.map(({ number }) => number)).toEqual(met.map((_, index) => index + 1));
  const paragraphs = groupsBy(sentences, ({ paragraph }) => paragraph);
  expect([...paragraphs.keys()]).toEqual([...paragraphs.keys()].map((_, index) => index));
  const blocks = [...paragraphs.values()].map((own) => {
    const items = groupsBy(own, ({ item }) => item);
    const places = [...items.keys()].filter((item) => item !== undefined);
    expect(places).toEqual(places.map((_, index) => index));
    if (places.length < items.size) expect([...items.keys()][0]).toBeUndefined();
    const lines = [...items].map(([item, each]) => {
      const parts = each.map((sentence) => {
        const cited = new Set(sentence.citations.map(({ document }) => numbers.get(document) ?? 0));
        const markers = [...cited].sort((a, b) => a - b).map((number) => `[${number}]`);
        return [sentence.text, ...(markers.length > 0 ? [markers.join('')] : [])].join(' ');
      });
      return (item === undefined ? '' : '- ') + parts.join(' ');
    });
    return [...(own[0].label === undefined ? [] : [`${own[0].label}:`]), ...lines].join('\n');
  });
  expect(text).toBe(blocks.join('\n\n'));
  for (const { framing, paragraph, item } of sentences) {
    if (format === 'bullets') expect(item === undefined).toBe(framing);
    if (format === 'brief') expect([paragraph, item]).toEqual([0, undefined]);
  }
}

function groupsBy<Key>(
  sentences: readonly SummarySentence[],
  keyOf: (sentence: SummarySentence) => Key,
): Map<Key, SummarySentence[]> {
  const groups = new Map<Key, SummarySentence[]>();
  for (const sentence of sentences) {
    const key = keyOf(sentence);
    groups.set(key, [...(groups.get(key) ?? []), sentence]);
  }
  return groups;
}
