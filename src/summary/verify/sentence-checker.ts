import type { EncoderProfile, Encoding } from '../../models/index.ts';
import { inverseTokenFrequency, tokenSupport, vectorCosine } from '../../selection/index.ts';
import { chunks, inverseWordFrequency, language, nextTurn, wordSupport } from '../../text/index.ts';
import { isVerbatim } from './hold-points.ts';
import { unsupportedNames } from './names.ts';
import { unsupportedNumbers } from './numbers.ts';

type Unsupported = 'words' | 'number' | 'name';

interface SentenceToCheck {
  readonly text: string;
  readonly quotes: readonly string[];
  /** Titles and speakers, which may support names but not numbers. */
  readonly allowedNames: readonly string[];
  /** ISO 639-3; detected if absent. */
  readonly language?: string | undefined;
}

interface MeasuredSentence extends SentenceToCheck {
  /** Recall of its tokens or words in the quotes; null if not measured. */
  readonly recall: number | null;
  /** Recall of the worst stretch, which reveals added claims, and its threshold. */
  readonly weakest?: { readonly recall: number; readonly level: number } | undefined;
  /** Recall of its worst pair of adjacent tokens (without tokens: of its stretch of words); null if not measured. */
  readonly worstPair?: number | null | undefined;
  readonly cosine: number | null;
  /** Minimum score of a supported wording. */
  readonly level: number;
}

export interface Verdict {
  readonly supported: boolean;
  /** How well the quotes support the wording, in [0, 1]; 1 if verbatim. */
  readonly score: number;
  readonly reasons: readonly Unsupported[];
  /** Support of the worst part, in [0, 1]; 1 if verbatim, null if not measured. */
  readonly worst: number | null;
}

export function checkSentence(sentence: MeasuredSentence): Verdict {
  const { text, quotes, allowedNames, level, weakest } = sentence;
  if (isVerbatim(text, quotes, allowedNames)) return { supported: true, score: 1, reasons: [], worst: 1 };
  const score = supportScore(sentence.recall, sentence.cosine);
  const reasons: Unsupported[] = [];
  const isAdding = weakest !== undefined && weakest.recall < weakest.level;
  if (score < level || isAdding || quotes.length === 0) reasons.push('words');
  if (unsupportedNumbers(text, quotes).length > 0) reasons.push('number');
  if (unsupportedNames({ text, quotes, allowedNames }).length > 0) reasons.push('name');
  return { supported: reasons.length === 0, score, reasons, worst: sentence.worstPair ?? null };
}

function supportScore(recall: number | null, cosine: number | null): number {
  const parts = [recall, cosine].filter((part) => part !== null);
  if (parts.length === 0) return 0;
  return Math.max(0, Math.min(1, parts.reduce((sum, part) => sum + part, 0) / parts.length));
}

/** Threshold for word recall alone, for languages unknown to the encoder (docs/decisions/support.md). */
const WORDS_ALONE = 0.5;
/** How far the worst stretch of a sentence may lie below the token threshold. */
const STRETCH_BELOW = 0.1;
/** Threshold of the worst stretch of words without tokens. */
const STRETCH_OF_WORDS = 0.33;

/** With fewer texts, frequencies are meaningless and unseen words would get all the weight. */
const FEW = 5;

/** Sentences per turn of the event loop, one or two milliseconds each. */
const TOGETHER = 8;

interface CheckerDeps {
  readonly encode: (texts: readonly string[]) => Promise<Encoding[]>;
  readonly profile: EncoderProfile;
  readonly reference: readonly string[];
}

export interface SentenceChecker {
  check(sentences: readonly SentenceToCheck[]): Promise<Verdict[]>;
}

export function sentenceChecker({ encode, profile, reference }: CheckerDeps): SentenceChecker {
  const supported = profile.calibration.supported;
  const hasTokens = profile.tokenDimensions > 0;
  const known = new Map<string, Promise<Encoding>>();
  const hasFew = reference.length < FEW;
  const wordWeight = hasFew ? () => 1 : inverseWordFrequency(reference);

  async function encodings(texts: readonly string[]): Promise<Encoding[]> {
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    if (missing.length > 0) {
      const batch = encode(missing);
      missing.forEach((text, i) => {
        const one = batch.then((all) => all[i]);
        // The awaiting caller sees the failure; a later check retries.
        one.catch(() => known.delete(text));
        known.set(text, one);
      });
    }
    return Promise.all(texts.map((text) => known.get(text) ?? Promise.reject(new Error('a text was not encoded'))));
  }

  const tokenWeight = once(async () => (hasFew ? () => 1 : inverseTokenFrequency(await encodings(reference))));

  const isForeign = (spoken: string) =>
    spoken !== 'und' && profile.languages !== null && !profile.languages.includes(spoken);

  async function checkOne(sentence: SentenceToCheck & { language: string }): Promise<Verdict> {
    const { text, quotes } = sentence;
    if (hasTokens && !isForeign(sentence.language)) {
      const [own, ...premises] = await encodings([text, ...quotes]);
      const found = tokenSupport(own, premises, profile.tokenDimensions, await tokenWeight());
      const weakest = { recall: found.weakest, level: supported.tokens - STRETCH_BELOW };
      const { recall, worstPair } = found;
      return checkSentence({ ...sentence, recall, cosine: null, level: supported.tokens, weakest, worstPair });
    }
    const found = wordSupport(text, quotes, wordWeight);
    const words = { ...sentence, recall: found.recall, weakest: { recall: found.weakest, level: STRETCH_OF_WORDS } };
    if (isForeign(sentence.language)) return checkSentence({ ...words, cosine: null, level: WORDS_ALONE });
    const [own, ...premises] = await encodings([text, ...quotes]);
    return checkSentence({
      ...words,
      cosine: cosineWith(own, premises),
      level: supported.words,
      worstPair: found.weakest,
    });
  }

  return {
    async check(sentences) {
      const spoken: (SentenceToCheck & { language: string })[] = [];
      for (const some of chunks(sentences, TOGETHER)) {
        for (const sentence of some) {
          const text = () => [sentence.text, ...sentence.quotes].join(' ');
          spoken.push({ ...sentence, language: sentence.language ?? language(text()) });
        }
        await nextTurn();
      }
      const readable = spoken.filter((sentence) => !isForeign(sentence.language));
      await encodings(readable.flatMap(({ text, quotes }) => [text, ...quotes]));
      const verdicts: Verdict[] = [];
      for (const some of chunks(spoken, TOGETHER)) {
        verdicts.push(...(await Promise.all(some.map(checkOne))));
        await nextTurn();
      }
      return verdicts;
    },
  };
}

function cosineWith({ sentence }: Encoding, premises: readonly Encoding[]): number {
  const all = new Float32Array(sentence.length);
  for (const premise of premises) for (let c = 0; c < all.length; c++) all[c] += premise.sentence[c];
  return Math.max(
    0,
    ...[all, ...premises.map((premise) => premise.sentence)].map((vector) => vectorCosine(sentence, vector)),
  );
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
