import { lazy, STOP_WORDS } from '../../text/index.ts';
import { CARDINALS, ORDINALS } from './numbers.ts';

interface NameWord {
  readonly text: string;
  readonly folded: string;
  readonly compact: string;
  /** `acronym`: capitals only. `mixed`: capitals or digits inside. `capital`: initial capital. */
  readonly kind: 'acronym' | 'mixed' | 'capital' | 'plain';
  readonly opens: boolean;
  readonly adjoins: boolean;
}

const WORD = /(?:\p{Lu}\.){2,}|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’&/-](?=[\p{L}\p{N}]))*/gu;
const OPENING = /(?:[\p{Sentence_Terminal}…:]["'”’»)\]]*\s+|["“„«‹([]|\n)\s*["'“‘„«‹([¿¡*•–—-]*\s*$/u;
/** Longer gaps carry no information and are slow to search. */
const MAX_GAP_LENGTH = 64;

function nameWords(text: string): NameWord[] {
  const plain = text.normalize('NFKC');
  let end = 0;
  return Array.from(plain.matchAll(WORD), (match) => {
    const before = plain.slice(end, match.index).replace(/\s+/gu, ' ').slice(-MAX_GAP_LENGTH);
    const opens = end === 0 || OPENING.test(before);
    end = match.index + match[0].length;
    const folded = fold(match[0]);
    return {
      text: match[0],
      folded,
      compact: folded.replace(/[^\p{L}\p{N}]/gu, ''),
      kind: kindOf(match[0]),
      opens,
      adjoins: /^\s+$/u.test(before),
    };
  });
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/'s$|'$/u, '')
    .replaceAll('.', '');
}

function kindOf(word: string): NameWord['kind'] {
  const bare = word.replace(/['’]\p{L}{1,3}$/u, '').replaceAll('.', '');
  // "I'm" and "I" are nobody's name; "18th" and "5km" are numbers.
  if (bare === 'I' || /^\p{N}/u.test(bare)) return 'plain';
  if (/[\p{Lu}\p{Ll}]-?\p{N}/u.test(bare) && !/^\p{Ll}+-\p{N}/u.test(bare)) return 'mixed';
  if (/^\p{Lu}[\p{Lu}\p{M}\p{N}&/-]+s?$/u.test(bare)) return 'acronym';
  if (/\p{Ll}\p{Lu}/u.test(bare)) return 'mixed';
  return /^\p{Lu}/u.test(bare) && bare.length > 1 ? 'capital' : 'plain';
}

/** Whether a word stands in one of some texts, as it is, joined with its neighbours or inflected. */
function knownIn(texts: readonly (readonly NameWord[])[]): (word: NameWord) => boolean {
  const spelled = new Set<string>();
  const joined = new Set<string>();
  for (const words of texts) {
    for (const [i, word] of words.entries()) {
      for (const part of [word.folded, ...word.text.split(/[-/'’.]/u).map(fold)]) spelled.add(part);
      // "Covid 19" is "COVID-19", "Open AI" is "OpenAI".
      let together = '';
      for (const { compact } of words.slice(i, i + 3)) {
        together += compact;
        joined.add(together);
      }
    }
  }
  return ({ folded, compact }) => {
    if (spelled.has(folded) || joined.has(compact)) return true;
    return !/\p{N}/u.test(folded) && ENDINGS.some((ending) => isInflected(folded, ending, spelled));
  };
}

/** Names of a sentence that are missing from the quotes, as spelled in the sentence. */
export function unsupportedNames({
  text,
  quotes,
}: {
  readonly text: string;
  readonly quotes: readonly string[];
}): string[] {
  const quoted = quotes.map(nameWords);
  const isKnown = knownIn(quoted);
  const afterNames = lazy(() => pairsAfterNames(quoted));
  const words = nameWords(text);
  return words
    .filter((word, i) => {
      if (word.kind === 'plain') return false;
      const isName =
        word.kind !== 'capital' || !word.opens || isNameAtOpening(words, i) || replacesName(words, i, afterNames());
      return isName && !isNamed(word, isKnown);
    })
    .map((word) => word.text);
}

function isNameAtOpening(words: readonly NameWord[], at: number): boolean {
  const next = words[at + 1];
  if (next === undefined || next.kind === 'plain' || next.opens || !next.adjoins) return false;
  return !isCommon(words[at].folded);
}

/** Whether a quote has the same next words after another name: "Google closed two offices", "Microsoft closed two offices". */
function replacesName(words: readonly NameWord[], at: number, afterNames: ReadonlySet<string>): boolean {
  return !isPlainNoun(words[at]) && afterNames.has(pairAfter(words, at) ?? '');
}

function pairsAfterNames(quoted: readonly (readonly NameWord[])[]): ReadonlySet<string> {
  const isName = (word: NameWord) =>
    word.kind !== 'plain' && (word.kind !== 'capital' || !word.opens || !isPlainNoun(word));
  return new Set(quoted.flatMap((quote) => quote.flatMap((word, i) => (isName(word) && pairAfter(quote, i)) || [])));
}

/** The next two words of one, as one string. */
function pairAfter(words: readonly NameWord[], at: number): string | null {
  const [, one, two] = words.slice(at, at + 3);
  return two === undefined ? null : `${one.folded} ${two.folded}`;
}

/** At the start of a sentence "Farmers" is rarely a name. */
function isPlainNoun({ folded }: NameWord): boolean {
  return isCommon(folded) || folded.endsWith('s');
}

const OPENERS = new Set(
  `unlike although meanwhile however critics supporters opponents researchers scientists experts analysts economists officials
  activists reports according several others another every here today recently despite given like since until unless once two
  three early late former president minister chancellor senator director professor dr mr mrs ms lawmakers leaders members
  residents participants speakers respondents authors studies study survey data evidence one`.split(/\s+/u),
);

function isCommon(word: string): boolean {
  const lists = [STOP_WORDS, OPENERS, CARDINALS, ORDINALS];
  return lists.some((list) => list.has(word)) || (word.endsWith('ly') && word.length > 4);
}

function isNamed(word: NameWord, isKnown: ReturnType<typeof knownIn>): boolean {
  if (isKnown(word)) return true;
  // "German-led", "non-EU": only the parts written as names must be found.
  const parts = word.text.split(/[-/]/u);
  if (parts.length === 1 || /\p{N}/u.test(word.text)) return false;
  return parts.flatMap(nameWords).every((part) => part.kind === 'plain' || isKnown(part));
}

/** Endings that make another word of a name: "Germany's", "Brazilian". */
const ENDINGS = 's es n ns an ans ian ians i is ese er ers y ish ic al'.split(' ');

/** Whether a word with or without an ending is known; short words take only an "s". */
function isInflected(word: string, ending: string, known: ReadonlySet<string>): boolean {
  const least = ending === 's' ? 3 : 4;
  if (word.length >= least && known.has(word + ending)) return true;
  return word.endsWith(ending) && word.length - ending.length >= least && known.has(word.slice(0, -ending.length));
}
