import { STOP_WORDS } from '../../selection/index.ts';
import { COMMON_OPENERS, FUNCTION_WORDS, PREPOSITIONS } from '../contradiction/vocabulary.ts';
import { fold, initialsOfRuns, type NameWord, nameWords } from './name-words.ts';
import { CARDINALS, ORDINALS } from './number-words.ts';

/** Languages that write every noun with a capital. */
const CAPITAL_NOUNS: ReadonlySet<string> = new Set(['deu', 'ltz', 'nds', 'gsw', 'bar']);
/** Words that open a sentence before a name, and are no names. */
const OPENERS = new Set(
  `unlike although meanwhile however critics supporters opponents researchers scientists experts analysts economists officials
  activists reports according several others another every here today recently despite given like since until unless once two
  three early late former president minister chancellor senator director professor dr mr mrs ms lawmakers leaders members
  residents participants speakers respondents authors studies study survey data evidence one`.split(/\s+/u),
);
/** Endings that make another word of a name: "Germany", "Brazilian"; and in place of its last vowel: "European". */
const ENDINGS = /^(?:e?s|ns?|an|ans|ian|ians|i|is|ese|ers?|y|ish|ic|al)$/u;
const ENDINGS_FOR_VOWEL = /^(?:ans?|ians?|eans?|ese|ish|ies)$/u;
const QUARTERS = ['first', 'second', 'third', 'fourth'];
const QUARTER = /\b(first|second|third|fourth)[\s-]+quarter\b/giu;
const MIN_SHARED = 4;
const MAX_INFLECTION_LENGTH = 3;

interface NamesToCheck {
  readonly text: string;
  readonly quotes: readonly string[];
  /** Titles and speakers: names may come from there. */
  readonly allowedNames?: readonly string[] | undefined;
  readonly language?: string | undefined;
  /** Lower-case words that are names wherever they stand, as `namesIn` finds them. */
  readonly knownNames?: ReadonlySet<string> | undefined;
}

/** Texts as names are looked up in them, read once for many sentences. */
export interface NameSource {
  readonly known: KnownWords;
  readonly quoted: readonly (readonly NameWord[])[];
}

export function nameSource(quotes: readonly string[], allowedNames: readonly string[] = []): NameSource {
  return { known: new KnownWords([...quotes, ...allowedNames]), quoted: quotes.map(nameWords) };
}

/** The names of a sentence that stand in none of the quotes and allowed texts, as the sentence has them. */
export function unsupportedNames({ text, quotes, allowedNames, ...rest }: NamesToCheck): string[] {
  return namesOutside(text, [nameSource(quotes, allowedNames)], rest);
}

/** The names of a sentence that stand in none of the sources, as the sentence has them. */
export function namesOutside(
  text: string,
  sources: readonly NameSource[],
  { language, knownNames }: Pick<NamesToCheck, 'language' | 'knownNames'> = {},
): string[] {
  const words = nameWords(text);
  const initials = initialsOfRuns(words);
  const hasCapitalNouns = language !== undefined && CAPITAL_NOUNS.has(language);
  const isForgiving = language !== undefined && language !== 'eng' && language !== 'und';
  const replaces = (i: number): boolean => sources.some(({ quoted }) => replacesName(words, i, quoted, knownNames));
  return words
    .filter((word, i) => {
      if (word.kind === 'plain') return false;
      if (word.kind === 'capital' && hasCapitalNouns) return false;
      const isName = !word.opens || isNameAtOpening(words, i, knownNames, isForgiving) || replaces(i);
      if (word.kind === 'capital' && !isName) return false;
      return !isNamed(word, sources, isForgiving, initials[i]);
    })
    .map((word) => word.text);
}

/** Words that stand with a capital inside sentences and never without: names, wherever else they stand. */
export function namesIn(texts: readonly string[]): ReadonlySet<string> {
  const capital = new Set<string>();
  const small = new Set<string>();
  for (const word of texts.flatMap(nameWords)) {
    if (word.kind === 'plain') small.add(word.folded);
    else if (!word.opens || word.kind !== 'capital') capital.add(word.folded);
  }
  return new Set([...capital].filter((word) => !small.has(word)));
}

/**
 * Any word opens a sentence with a capital: it is a name if it is known as one, or, in English, where the common openers are
 * known, if another follows at once.
 */
function isNameAtOpening(
  words: readonly NameWord[],
  at: number,
  names: ReadonlySet<string> | undefined,
  isForeign: boolean,
): boolean {
  const { folded } = words[at];
  if (names?.has(folded)) return true;
  const next = words[at + 1];
  if (isForeign || next === undefined || next.kind === 'plain' || next.opens || !next.adjoins) return false;
  return !isCommon(folded);
}

/** "Google closed two offices", of "Microsoft closed two offices": the same words follow a name in a quote. */
function replacesName(
  words: readonly NameWord[],
  at: number,
  quoted: readonly (readonly NameWord[])[],
  names: ReadonlySet<string> | undefined,
): boolean {
  const [word, ...next] = words.slice(at, at + 3);
  if (next.length < 2 || isPlainNoun(word)) return false;
  return quoted.some((quote) =>
    quote.some((other, i) => {
      if (!next.every(({ folded }, step) => folded === quote[i + 1 + step]?.folded)) return false;
      if (other.kind === 'plain') return false;
      return other.kind !== 'capital' || !other.opens || names?.has(other.folded) || !isPlainNoun(other);
    }),
  );
}

/** At the head of a sentence, "Farmers" is hardly ever a name. */
function isPlainNoun({ folded }: NameWord): boolean {
  return isCommon(folded) || folded.endsWith('s');
}

function isCommon(word: string): boolean {
  const lists = [FUNCTION_WORDS, STOP_WORDS, PREPOSITIONS, COMMON_OPENERS, OPENERS, CARDINALS, ORDINALS];
  return lists.some((list) => list.has(word)) || (word.endsWith('ly') && word.length > 4);
}

function isNamed(word: NameWord, sources: readonly NameSource[], isForgiving: boolean, initials: string): boolean {
  const isKnown = (each: NameWord): boolean => sources.some(({ known }) => known.has(each, isForgiving));
  if (isKnown(word)) return true;
  if (word.kind === 'acronym' && sources.some(({ known }) => known.hasInitials(word.folded))) return true;
  if (word.kind === 'capital' && sources.some(({ known }) => known.hasAcronym(initials))) return true;
  // "German-led", "non-EU": only what is written as a name has to be found.
  const parts = word.text.split(/[-/]/u);
  if (parts.length === 1 || /\p{N}/u.test(word.text)) return false;
  return parts.flatMap(nameWords).every((part) => part.kind === 'plain' || isKnown(part));
}

/** The words of the texts that names may come from. */
class KnownWords {
  readonly #words = new Set<string>();
  readonly #capitals = new Set<string>();
  readonly #joined = new Set<string>();
  readonly #initials = new Set<string>();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const words = nameWords(text);
      for (const [i, word] of words.entries()) {
        const parts = word.text.split(/[-/'’.]/u).map(fold);
        for (const folded of [word.folded, ...parts]) this.#words.add(folded);
        if (word.kind === 'acronym') this.#capitals.add(word.folded);
        // "Covid 19" is "COVID-19", "Open AI" is "OpenAI".
        let joined = word.compact;
        this.#joined.add(joined);
        for (const next of words.slice(i + 1, i + 3)) {
          joined += next.compact;
          this.#joined.add(joined);
        }
      }
      for (const [, ordinal] of text.matchAll(QUARTER))
        this.#words.add(`q${QUARTERS.indexOf(ordinal.toLowerCase()) + 1}`);
      for (const initials of initialsOfRuns(words)) this.#initials.add(initials);
    }
  }

  has(word: NameWord, isForgiving: boolean): boolean {
    // "US" is not "us", "WHO" not "who".
    if (word.kind === 'acronym' && STOP_WORDS.has(word.folded)) return this.#capitals.has(word.folded);
    if (this.#words.has(word.folded) || this.#joined.has(word.compact)) return true;
    if (/\p{N}/u.test(word.folded)) return false;
    return [...this.#words].some((other) => isInflected(word.folded, other, isForgiving));
  }

  /** "WHO" of "World Health Organization". */
  hasInitials(acronym: string): boolean {
    return [...this.#initials].some((initials) => isShortFor(acronym, initials));
  }

  /** "European Union" of "EU". */
  hasAcronym(initials: string): boolean {
    return [...this.#capitals].some((acronym) => isShortFor(acronym, initials));
  }
}

/** A capitalised article in front does not count. */
function isShortFor(acronym: string, initials: string): boolean {
  return acronym.length >= 2 && (initials === acronym || initials.slice(1) === acronym);
}

function isInflected(a: string, b: string, isForgiving: boolean): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < 3) return false;
  if (long.startsWith(short) && ENDINGS.test(long.slice(short.length)) && (short.length >= 4 || long === `${short}s`)) {
    return true;
  }
  const stem = /[aeiouy]$/u.test(short) ? short.slice(0, -1) : null;
  if (stem !== null && stem.length >= 3 && long.startsWith(stem) && ENDINGS_FOR_VOWEL.test(long.slice(stem.length))) {
    return true;
  }
  if (!isForgiving) return false;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared += 1;
  return shared >= MIN_SHARED && long.length - shared <= MAX_INFLECTION_LENGTH;
}
