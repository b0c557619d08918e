import { tokensOf } from '../contradiction/tokens.ts';
import { FUNCTION_WORDS, keyOf, looksEnglish, SOFT_WORDS } from '../contradiction/vocabulary.ts';

/** Verbs behind which a clause is what somebody says or thinks, with "that" or without. */
const SAYING = String.raw`(?:says?|said|saying|claim(?:s|ed|ing)?|argu(?:es?|ed|ing)|pretend(?:s|ed)?|suppos(?:es?|ed)|assum(?:es?|ed|ing)|write|answer|reply|replied|repeat|fear(?:s|ed)?|hop(?:es?|ed|ing)|believ(?:es?|ed|ing)|thinks?|thought|den(?:y|ies|ied)|doubt(?:s|ed)?|alleg(?:es?|ed|ing)|assert(?:s|ed)?|insist(?:s|ed)?|suspect(?:s|ed)?|complain(?:s|ed)?|suggest(?:s|ed)?|predict(?:s|ed)?|imagin(?:es?|ed)|tell(?:s|ing)? \S+(?: \S+)?|told \S+(?: \S+)?)`;
/** Verbs that do so only with "that", and nouns. */
const SAYING_THAT =
  '(?:stat(?:es?|ed|ing)|warn(?:s|ed|ing)?|announc(?:es?|ed)|report(?:s|ed|edly)?|add(?:s|ed)?|expect(?:s|ed)?|promis(?:es?|ed)|wrote|writes|contend(?:s|ed)?|maintain(?:s|ed)?|declar(?:es?|ed)|worr(?:y|ies|ied)|concerned|afraid|estimat(?:es?|ed)|conclud(?:es?|ed)|wish(?:es|ed)?|rumou?red|(?:rumou?r|claim|idea|notion|belief|assumption|allegation|accusation|suggestion|hope|fear|myth|theory|hypothesis|impression|argument|possibility|suspicion|assertion|contention|view|opinion|statement|warning|concern|chance|risk|prospect|report|assurance|lie)s?)';
const FACTIVE =
  '(?:f(?:ind|inds|ound|inding)|show(?:s|ed|n|ing)?|confirm(?:s|ed|ing)?|prov(?:es?|ed|en|ing)|reveal(?:s|ed|ing)?|not(?:es?|ed|ing)|mean(?:s|t|ing)?|demonstrat(?:es?|ed|ing)|fact|discover(?:s|ed)?|kn(?:ow|ows|ew|own))';
const CONDITION = '(?:whether|if|unless|lest|as though)';
/** What makes another statement of a text no statement. */
const UNTRUE = '(?:myth|rumou?r|false|fake|untrue|wrong|fiction|claim|question|instruction)s?';

const ENDS_EMBEDDING = new RegExp(
  String.raw`(?:\b(?:${SAYING}|${SAYING_THAT}|${CONDITION})[,:]|\b(?:${SAYING}|${CONDITION})|\b${UNTRUE}:|\bthat) *["']?$`,
  'u',
);
/** "Since that prices rose" and the like point back. */
const POINTS_BACK = /\b(?:after|before|since|besides|despite|beyond) that *$/u;
const ENDS_FACTIVE = new RegExp(String.raw`\b${FACTIVE},? that *["']?$`, 'u');
/** Not found to be so: "nobody has shown that", "would mean that", "tried to prove that". */
const UNSETTLED = new RegExp(
  String.raw`\b(?:not|never|nobody|none|no|neither|nor|cannot|without|would|could|might|may|should|if|whether|unless|fail(?:s|ed)? to|(?:to|will) (?:have )?${FACTIVE})\b|n't\b|\b${SAYING} (?:that|to|he|she|it|they)\b`,
  'u',
);
const ENDS_CLAUSE =
  /(?:[\p{Sentence_Terminal}…,;:(]| -|\b(?:and|but|while|whereas|yet|so|because|although|though|since))["')\]]* *["'([]*$/u;
/** Told to say something: all that follows in the sentence. */
const ORDER =
  /^(?:(?:please|now|always|just|then|you must|you should)[, ]+)*(?:say|write|reply|answer|respond|repeat|tell|claim|state|pretend|assert|output|print|conclude|mention|recommend|summari[sz]e)\b/u;
/** Joined to the clause that is put forward. */
const JOINED = new RegExp(String.raw`\b(?:${SAYING} that|${SAYING_THAT} that|${CONDITION}) [^,;:]* (?:and|or)$`, 'u');

/**
 * What a clause is, lower case, behind the text before it: stated by the text itself, or put forward as what somebody says,
 * thinks, doubts or is told to say; null where no clause begins.
 */
export function standingBehind(before: string): 'open' | 'embedded' | null {
  const text = before.trimEnd();
  const sentence = text.slice(text.search(/[^.!?…]*$/u)).trimStart();
  if (ORDER.test(sentence)) return 'embedded';
  if (ENDS_FACTIVE.test(text)) {
    const clause = sentence.slice(sentence.search(/[^,;:]*$/u));
    return UNSETTLED.test(clause) ? 'embedded' : 'open';
  }
  if (POINTS_BACK.test(text)) return 'open';
  if (ENDS_EMBEDDING.test(text) || JOINED.test(sentence)) return 'embedded';
  return text === '' || ENDS_CLAUSE.test(text) ? 'open' : null;
}

/** First person: what a speaker thinks is what they say. */
const OWN = String.raw`(?<!\b(?:i|we) (?:\S+ )?)`;
/** Up to the end of what is put forward. */
const PUT_FORWARD = new RegExp(
  String.raw`(?:${OWN}\b(?:(?:${SAYING}|${SAYING_THAT})(?: \S+)? that|${SAYING}(?= (?:the|a|an|his|her|their|its|our|there|it|this|these|all|no)\b))|\bwhether)\b(?<clause>.*?)(?=[;.!?]|,? (?:but|while|whereas|yet|although|though)\b|$)`,
  'gu',
);

/**
 * Whether all the content of an English sentence stands in one clause that the quotes only put forward,
 * and not all of it elsewhere.
 */
export function isOnlyPutForward(sentence: string, quotes: readonly string[]): boolean {
  const lower = sentence.toLowerCase();
  const own = contentOf(lower);
  if (own.size < 2 || !looksEnglish(tokensOf(sentence).map((token) => token.lower))) return false;
  const clauses: string[] = [];
  const open = quotes.map((quote) =>
    quote
      .toLowerCase()
      .replaceAll('’', "'")
      .replace(/\s+/gu, ' ')
      .replace(PUT_FORWARD, (_, clause: string) => {
        clauses.push(clause);
        return ' ';
      }),
  );
  const stated = contentOf(open.join(' . '));
  return (
    [...own].some((key) => !stated.has(key)) &&
    clauses.some((clause) => {
      const known = contentOf(clause);
      return [...own].every((key) => known.has(key));
    })
  );
}

/** Stems of the words and numbers that carry matter. */
export function contentOf(text: string): Set<string> {
  return new Set(
    tokensOf(text)
      .filter(({ lower, kind }) => kind !== 'symbol' && !FUNCTION_WORDS.has(lower) && !SOFT_WORDS.has(lower))
      .map(({ lower, kind }) => (kind === 'word' ? keyOf(lower) : lower)),
  );
}
