import { z } from 'zod';
import { language } from '../../documents/language.ts';
import { asData } from '../../language-models/as-data.ts';
import type { Prompt } from '../../language-models/prompt.ts';
import type { StageModel } from '../../language-models/stage-model.ts';
import type { Failing } from './writing-prompt.ts';

/** Says which sentences, by their places from 1, are what their quotes say in another language. */
export type Judge = (failing: readonly Failing[]) => Promise<ReadonlySet<number>>;

const SUPPORTED = { name: 'supported', schema: z.object({ supported: z.array(z.int()) }) };
const ANSWER_TOKENS = 500;

/**
 * A language model as judge of translations, which words cannot be compared for. It is asked only where sentences and
 * quotes are known to be in different languages.
 *
 * @param languages ISO 639-3 codes of what is asked for and of the documents; `und` leaves it to the texts
 */
export function translationJudge(
  model: () => StageModel,
  prompt: () => Prompt,
  languages: { readonly written: string; readonly quoted: string },
): Judge {
  return async (failing) => {
    if (failing.length === 0 || !areForeign(failing, languages)) return new Set();
    const blocks = failing.map(({ draft, cited }, index) =>
      [`${index + 1}: ${draft.text}`, ...cited.flatMap(({ quotes }) => quotes.map((quote) => `Quote: ${quote}`))].join(
        '\n',
      ),
    );
    const values = { sentences: asData('sentences', blocks.join('\n\n')) };
    const { supported } = await model().askFor({ prompt: prompt(), values, maxTokens: ANSWER_TOKENS }, SUPPORTED);
    return new Set(supported);
  };
}

/** Whether the sentences are in another language than what they cite; all together, since one alone is too short to tell. */
function areForeign(
  failing: readonly Failing[],
  known: { readonly written: string; readonly quoted: string },
): boolean {
  const texts = failing.map(({ draft }) => draft.text).join('\n');
  const quotes = failing.flatMap(({ cited }) => cited.flatMap((point) => point.quotes)).join('\n');
  const written = known.written === 'und' ? language(texts) : known.written;
  const quoted = known.quoted === 'und' ? language(quotes) : known.quoted;
  return written !== 'und' && quoted !== 'und' && written !== quoted;
}
