import type { EncoderProfile, Encoding } from '../../models/index.ts';
import { tokenSupport } from '../../selection/index.ts';
import { chunks, inverseFrequency, language, nextTurn, wordSet, wordSupport } from '../../text/index.ts';
import { isVerbatim } from './hold-points.ts';
import { unsupportedNames } from './names.ts';
import { unsupportedNumbers } from './numbers.ts';

interface SentenceToCheck {
  readonly text: string;
  readonly quotes: readonly string[];
  /** Titles and speakers, which may support names but not numbers. */
  readonly allowedNames: readonly string[];
}

export interface Verdict {
  readonly supported: boolean;
  /** Recall of the worst pair of adjacent tokens, or the worst stretch of words, in [0, 1]; 1 if verbatim. */
  readonly worst: number;
}

/** Threshold for words alone, without tokens or in languages unknown to the encoder (docs/decisions/support.md). */
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
  const level = profile.calibration.supported.tokens;
  const known = new Map<string, Encoding>();
  const wordWeight = reference.length < FEW ? () => 1 : inverseFrequency(reference.map(wordSet));

  async function encodings(texts: readonly string[]): Promise<Encoding[]> {
    const missing = [...new Set(texts)].filter((text) => !known.has(text));
    const encoded = missing.length === 0 ? [] : await encode(missing);
    missing.forEach((text, i) => {
      known.set(text, encoded[i]);
    });
    return texts.flatMap((text) => known.get(text) ?? []);
  }

  function hasTokens({ text, quotes }: SentenceToCheck): boolean {
    if (profile.tokenDimensions === 0) return false;
    const spoken = language([text, ...quotes].join(' '));
    return spoken === 'und' || profile.languages === null || profile.languages.includes(spoken);
  }

  function wordsFound({ text, quotes }: SentenceToCheck): Verdict {
    const { recall, weakest } = wordSupport(text, quotes, wordWeight);
    return { supported: recall >= WORDS_ALONE && weakest >= STRETCH_OF_WORDS, worst: weakest };
  }

  return {
    async check(sentences) {
      const withTokens = new Set<SentenceToCheck>();
      for (const some of chunks(sentences, TOGETHER)) {
        for (const sentence of some.filter(hasTokens)) withTokens.add(sentence);
        await nextTurn();
      }
      await encodings([...withTokens].flatMap(({ text, quotes }) => [text, ...quotes]));
      const isCounted = reference.length >= FEW && withTokens.size > 0;
      const counted = isCounted ? (await encodings(reference)).map(({ tokenIds }) => tokenIds) : [];
      const weight = isCounted ? inverseFrequency(counted) : () => 1;
      const tokensFound = async ({ text, quotes }: SentenceToCheck): Promise<Verdict> => {
        const [own, ...premises] = await encodings([text, ...quotes]);
        const { recall, weakest, worstPair } = tokenSupport(own, premises, profile.tokenDimensions, weight);
        return { supported: recall >= level && weakest >= level - STRETCH_BELOW, worst: worstPair };
      };
      const verdicts: Verdict[] = [];
      for (const some of chunks(sentences, TOGETHER)) {
        for (const sentence of some) {
          const { text, quotes, allowedNames } = sentence;
          const found = withTokens.has(sentence) ? await tokensFound(sentence) : wordsFound(sentence);
          const isBorneOut =
            found.supported &&
            quotes.length > 0 &&
            unsupportedNumbers(text, quotes).length === 0 &&
            unsupportedNames(sentence).length === 0;
          const isQuoted = isVerbatim(text, quotes, allowedNames);
          verdicts.push(isQuoted ? { supported: true, worst: 1 } : { supported: isBorneOut, worst: found.worst });
        }
        await nextTurn();
      }
      return verdicts;
    },
  };
}
