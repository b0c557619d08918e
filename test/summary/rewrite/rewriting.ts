import { expect } from 'vitest';
import { loadPrompts } from '../../../src/language-models/load-prompts.node.ts';
import { compose } from '../../../src/summary/compose.ts';
import { countWords } from '../../../src/summary/count-words.ts';
import { outlineOf } from '../../../src/summary/outline.ts';
import { materialOf, type NumberedPoint } from '../../../src/summary/rewrite/material.ts';
import { modelWriter } from '../../../src/summary/rewrite/model-writer.ts';
import { type Rewritten, rewrite } from '../../../src/summary/rewrite/rewrite.ts';
import type { Reader } from '../../../src/summary/rewrite/writing-prompt.ts';
import type { ComposeInput, Summary, SummarySentence } from '../../../src/summary/summary.ts';
import { sentenceChecker } from '../../../src/summary/verify/sentence-checker.ts';
import { type FakeScript, type FakeStage, fakeStage } from '../../support/fake-stage-model.ts';
import { HashedWordsEncoder } from '../../support/hashed-words-encoder.ts';

const PROMPTS = loadPrompts();

export function promptOf(id: string) {
  const prompt = PROMPTS.get(id);
  if (prompt === undefined) throw new Error(`no prompt "${id}"`);
  return prompt;
}

export const NOBODY: Reader = { question: null, userStory: null, background: null, language: 'eng' };

export interface Rewriting extends Rewritten {
  readonly stage: FakeStage;
  /** Sentences as they were told. */
  readonly told: readonly SummarySentence[];
}

export interface RewritingOptions {
  readonly reader?: Reader;
  readonly isStreamed?: boolean;
  readonly contextTokens?: number;
  readonly onTold?: (text: string) => void;
}

/** Has a scripted model write a summary. */
export async function rewriting(
  input: ComposeInput,
  script: FakeScript,
  { reader = NOBODY, isStreamed = true, contextTokens = 8000, onTold }: RewritingOptions = {},
): Promise<Rewriting> {
  const stage = fakeStage(script, contextTokens);
  const told: SummarySentence[] = [];
  const writer = modelWriter({
    model: stage.model,
    prompts: { write: promptOf('write'), again: promptOf('write-again') },
    reader,
    format: input.format,
    maxWords: input.maxWords,
    isStreamed,
  });
  const rewritten = await rewrite(input, writer, {
    checker: checkerOf(input),
    onSentence: (sentence) => {
      told.push(sentence);
      onTold?.(sentence.text);
    },
  });
  return { ...rewritten, stage, told };
}

function checkerOf(input: ComposeInput) {
  const encoder = new HashedWordsEncoder();
  const reference = input.points.map(({ text }) => text);
  return sentenceChecker({ encode: (texts) => encoder.encode(texts), profile: encoder.profile, reference });
}

/** The points as the model is shown them: number by wording. */
export function pointsShown(message: string): Map<string, number> {
  return new Map([...message.matchAll(/^- (.*) \[(\d+)\]$/gm)].map(([, text, number]) => [text, Number(number)]));
}

/** Everything that holds of a summary whatever the model wrote. */
export async function expectPromises(input: ComposeInput, { summary, report, told, failures }: Rewriting) {
  const { sentences } = summary;
  const outline = outlineOf(input);
  const { points } = materialOf(outline, input.documents, input.format);
  const templates = compose(input).sentences.filter(({ framing }) => framing);
  const given = new Set(points.flatMap(({ own }) => own.citations.map((citation) => JSON.stringify(citation))));
  for (const sentence of sentences.filter(({ framing }) => framing)) expect(templates).toContainEqual(sentence);

  const stated = sentences.filter(({ framing }) => !framing);
  const own = new Set(points.map((point) => JSON.stringify(point.own)));
  const checker = checkerOf(input);
  for (const sentence of stated) {
    expect(sentence.citations).not.toEqual([]);
    for (const citation of sentence.citations) expect(given).toContain(JSON.stringify(citation));
    if (own.has(JSON.stringify(sentence))) continue;
    expect(sentence.text).not.toMatch(/\p{Cc}|\p{Cs}|[\u{e0000}-\u{e007f}]|\[\s*\p{Nd}+\s*\]/u);
    // In the order in which they are cited: the language of mixed quotes may be told by what comes first.
    const place = ({ own: { keyPoints } }: NumberedPoint) => sentence.keyPoints.indexOf(keyPoints[0]);
    const cited = points.filter((point) => place(point) >= 0).sort((a, b) => place(a) - place(b));
    const quotes = cited.flatMap((point) => point.quotes);
    const allowedNames = cited.flatMap((point) => point.allowedNames);
    const [verdict] = await checker.check([{ text: sentence.text, quotes, allowedNames }]);
    expect(verdict, sentence.text).toMatchObject({ supported: true });
    expect(sentence.support).toBeCloseTo(verdict.score, 6);
  }
  for (const { id } of input.points) expect(stated.flatMap(({ keyPoints }) => keyPoints)).toContain(id);

  expect(told).toEqual(sentences);
  const ownWords = outline.sentences.reduce((sum, { text }) => sum + countWords(text), 0);
  const words = sentences.reduce((sum, { text }) => sum + countWords(text), 0);
  if (input.maxWords !== null && input.points.length > 0 && ownWords <= input.maxWords) {
    expect(words).toBeLessThanOrEqual(input.maxWords);
  }
  expectText(summary, input.format);
  const { drafted, kept, judged, mended, uncited, repeated, tooLong, askedAgain, replaced, added } = report;
  expect(stated).toHaveLength(kept + judged + mended + replaced + added);
  expect(mended).toBeLessThanOrEqual(askedAgain);
  const settled = kept + judged + uncited + repeated + tooLong;
  if (failures.some(({ isFatal }) => isFatal)) expect(settled + askedAgain).toBeLessThanOrEqual(drafted);
  else expect(settled + askedAgain).toBe(drafted);
}

/** Nothing stands in the text but the sentences, their markers and the layout; sources are numbered as they are met. */
function expectText({ text, sentences, sources }: Summary, format: ComposeInput['format']) {
  const numbers = new Map(sources.map(({ document, number }) => [document, number]));
  const met = [...new Set(sentences.flatMap(({ citations }) => citations.map(({ document }) => document)))];
  expect(sources.map(({ document }) => document)).toEqual(met);
  expect(sources.map(({ number }) => number)).toEqual(met.map((_, index) => index + 1));
  let rest = text;
  for (const sentence of sentences) {
    const cited = new Set(sentence.citations.map(({ document }) => numbers.get(document) ?? 0));
    const markers = [...cited].sort((a, b) => a - b).map((number) => `[${number}]`);
    const mark = format === 'bullets' && !sentence.framing ? '- ' : '';
    const part = mark + [sentence.text, ...(markers.length > 0 ? [markers.join('')] : [])].join(' ');
    rest = rest.replace(/^(?:\n\n|\n| )/, '');
    expect(rest.startsWith(part), `${part} in ${rest}`).toBe(true);
    rest = rest.slice(part.length);
  }
  expect(rest).toBe('');
}
