import type { Encoder } from '../../models/index.ts';
import { language } from '../../text/index.ts';

/** What `Intl.Locale` calls several scripts together, or one that it does not know. */
const SEVERAL = /^(?:Jpan|Kore|Han[st]|Zzzz)$/;

/**
 * Which texts are known to be in a language that the encoder was not trained for: by their words, by their script, or, where
 * they are too short to tell, by all of them together.
 */
export function foreignAmong(encoder: Encoder, texts: readonly string[]): boolean[] {
  const together = language(texts.toSorted().join('\n'));
  return texts.map((text) => isForeignTo(encoder, text, together));
}

/** @param together ISO 639-3 code of what the text comes with; `und` where that is not known */
export function isForeignTo({ profile: { languages } }: Encoder, text: string, together = 'und'): boolean {
  if (languages === null) return false;
  if (!isInScriptsOf(languages, text)) return true;
  const own = language(text);
  const spoken = own === 'und' ? together : own;
  return spoken !== 'und' && !languages.includes(spoken);
}

/** Whether at least half of the letters of a text are of scripts that some of the languages are written in. */
function isInScriptsOf(languages: readonly string[], text: string): boolean {
  const scripts = [...new Set(languages.map((code) => new Intl.Locale(code).maximize().script ?? 'Zzzz'))];
  if (scripts.some((script) => SEVERAL.test(script))) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(new RegExp(scripts.map((script) => `\\p{Script=${script}}`).join('|'), 'gu'))?.length ?? 0;
  return own >= letters / 2;
}
