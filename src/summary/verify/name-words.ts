/** A word of a text, as far as its spelling tells whether it is a name. */
export interface NameWord {
  readonly text: string;
  /** Lower case, without accents and possessive. */
  readonly folded: string;
  /** The same without the signs inside it. */
  readonly compact: string;
  /** `acronym`: capitals only. `mixed`: capitals or digits inside. `capital`: one in front. */
  readonly kind: 'acronym' | 'mixed' | 'capital' | 'plain';
  /** Stands first in a sentence, a quotation, or after a colon. */
  readonly opens: boolean;
  /** Only white space stands between it and the word before. */
  readonly adjoins: boolean;
}

const WORD = /(?:\p{Lu}\.){2,}|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’&/-](?=[\p{L}\p{N}]))*/gu;
const OPENING = /(?:[\p{Sentence_Terminal}…:]["'”’»)\]]*\s+|["“„«‹([]|\n)\s*["'“‘„«‹([¿¡*•–—-]*\s*$/u;
const LETTERS_WITHOUT_PARTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};

/** Between two words, of signs: more says nothing, and is slow to search. */
const MAX_GAP_LENGTH = 64;
/** Small words inside long names. */
const INSIDE_NAMES = new Set('of for and the on in de la des du'.split(' '));

/** Lower case, without accents, possessives and full stops of abbreviations. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøłæœđı]/gu, (letter) => LETTERS_WITHOUT_PARTS[letter] ?? letter)
    .replaceAll('’', "'")
    .replace(/'s$|'$/u, '')
    .replaceAll('.', '');
}

/** The words of a text with what their spelling says. */
export function nameWords(text: string): NameWord[] {
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

function kindOf(word: string): NameWord['kind'] {
  const bare = word.replace(/['’]\p{L}{1,3}$/u, '').replaceAll('.', '');
  // "I'm" and "I" are nobody's name; "18th" and "5km" are numbers.
  if (bare === 'I' || /^\p{N}/u.test(bare)) return 'plain';
  if (
    /[\p{Lu}\p{Ll}]-?\p{N}/u.test(bare) &&
    !/^\p{Ll}+-\p{N}/u.test(bare) &&
    !/^(?:Mid|Post|Pre|Non|Sub|Early|Late)-\p{N}/u.test(bare)
  )
    return 'mixed';
  if (/^\p{Lu}[\p{Lu}\p{M}\p{N}&/-]+s?$/u.test(bare)) return 'acronym';
  if (/\p{Ll}\p{Lu}/u.test(bare)) return 'mixed';
  if (/^\p{Lu}/u.test(bare)) return bare.length > 1 ? 'capital' : 'plain';
  return /-\p{Lu}/u.test(bare) ? 'capital' : 'plain';
}

/** For every word the first letters of the capitalised words that it stands among; "" for other words. */
export function initialsOfRuns(words: readonly NameWord[]): string[] {
  const initials = words.map(() => '');
  for (let from = 0; from < words.length; from++) {
    let to = from;
    let letters = '';
    for (; to < words.length && (to === from || words[to].adjoins); to++) {
      if (words[to].kind !== 'plain') letters += words[to].folded.charAt(0);
      else if (letters === '' || !INSIDE_NAMES.has(words[to].folded)) break;
    }
    initials.fill(letters, from, to);
    from = Math.max(from, to - 1);
  }
  return initials;
}
