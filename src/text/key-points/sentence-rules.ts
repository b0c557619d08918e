import { NAVIGATION } from '../documents/blocks.ts';
import { countContent, hasVerb, lengthInWords } from '../words.ts';

const PHRASES =
  /\b(?:cookies?\b.{0,60}\b(?:use|uses|using|accept|policy|settings|consent|experience)|(?:use|uses|using|accept|accepting) (?:of )?(?:all )?cookies|click (?:here|below|the (?:link|button))|subscribe (?:to|now|today|for)|sign up (?:for|to|now|today)|sign in to|log ?in to|all rights reserved|terms (?:of (?:use|service)|and conditions)|privacy policy|newsletter|read more|learn more at|follow us|share (?:this|on) |skip to (?:main )?content|back to top|advertisement|sponsored content|javascript (?:is|to)|enable javascript|photo(?:graph)? by|image credit|getty images|download (?:the|our) app|table of contents|unsubscribe|view in (?:your )?browser|this article (?:was|is) (?:originally )?(?:published|updated)|reprinted with permission)\b/iu;
const MARKS = /(?:^|\s)(?:©|\(c\)\s*\d{4}|copyright\s+(?:©|\(c\)|\d{4}))/iu;
const BYLINE =
  /^(?:by\s+\p{Lu}[\p{L}.'’-]+(?:\s+(?:and\s+)?\p{Lu}[\p{L}.'’-]*){0,6}|(?:published|updated|posted|last (?:updated|modified))\b.{0,60}|(?:tags?|categories|filed under|share|related)\s*:.*)$/iu;
/** In UTF-16 units. Boilerplate phrases count in short lines only. */
const LONGEST = 240;

export function isBoilerplate(text: string): boolean {
  if (text.length > LONGEST) return false;
  return MARKS.test(text) || BYLINE.test(text) || NAVIGATION.test(text) || PHRASES.test(text) || isAddress(text);
}

export function isByline(text: string): boolean {
  return text.length <= LONGEST && BYLINE.test(text);
}

function isAddress(text: string): boolean {
  const rest = text.replace(/(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/giu, '');
  return rest.length < text.length && rest.replace(/[^\p{L}]/gu, '').length < 12;
}

const PHATIC =
  /^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|night|day)|welcome|thanks?|thank you|cheers|bye|goodbye|see you|(?:kind|best|warm) regards|sincerely|yours|congratulations|happy|please (?:welcome|join)|ladies and gentlemen|mr\.? (?:speaker|president)|yes|no|yeah|yep|nope|ok|okay|right|sure|exactly|absolutely|great|cool|nice|fine|perfect|sorry|excuse me|oh|wow|hmm|mm|uh|um|mm-hmm|uh-huh|of course|i see|i know|i agree|me too|fair enough|there you go|here we go|let's see|let me see)\b[^\p{L}]*)+/iu;
const TAIL = 7;

/** An address to the audience, up to the last person or body that it names. */
const SALUTATION =
  /^(?:(?:mr|mrs|ms|madam)\.? (?:vice )?(?:president|speaker|chairman|chairwoman|chair)|(?:ladies and gentlemen|distinguished|honou?red|members of|my fellow|fellow)\b)(?:[^!?:;]{0,80}?\b(?:congress|senate|house|parliament|assembly|board|guests|colleagues|members|americans|citizens|friends|gentlemen|president|speaker|chairman)\b)*[^\p{L}]*/iu;
const OPENING = /^(?:i|we)\b[^.!?]*\b(?:come|stand|report|speak|am|are)\b[^.!?]*\b(?:you|tonight|today|here)\b/iu;

function isSalutation(text: string): boolean {
  const rest = text.replace(SALUTATION, '');
  return rest !== text && (!/\p{L}/u.test(rest) || OPENING.test(rest));
}

export function isPhatic(text: string): boolean {
  if (isSalutation(text)) return true;
  const rest = text.replace(PHATIC, '');
  if (rest === text) return false;
  return (
    rest.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length <=
    (/^(?:thank|hello|hi|dear|good|welcome|bye)/iu.test(text) ? TAIL : 1)
  );
}

const POLAR = /^(?:yes|no|yeah|yep|nope|not (?:yet|really|at all)|never|of course|exactly|absolutely|sure)\b/iu;

export function isPolar(text: string): boolean {
  return POLAR.test(text);
}

const CONNECTIVE =
  /^(?:therefore|thus|hence|consequently|accordingly|however|nevertheless|nonetheless|otherwise|instead|similarly|likewise|conversely|furthermore|moreover|additionally|besides|also|but|so|and|or|nor|yet|then|because|'?cause|cuz|'?cos|because of (?:this|that)|for (?:example|instance)|in (?:addition|contrast|turn|fact|other words|particular|this way|that way|this case|that case)|as a result|as such|on the other hand|on the contrary|by contrast|that is|that said|after all|even so|this way|that way|at the same time|which)\b(?! (?:of|it was) (?:the|a|an)\b)/iu;
/** A pronoun as the subject, whose noun stands before. */
const PRONOUN =
  /^(?:it|it's|its|this|that|that's|these|those|they|they're|their|he|she|he's|she's|his|her|him|them|such|both|neither|some|others|doing (?:so|this|that))\b/iu;
/** "This policy", "those who", "it is right to": a pronoun with its noun reads alone. */
const BRINGS_NOUN =
  /^(?:(?:this|that|these|those|such|both|some)\s+(?!(?:is|are|was|were|will|would|can|could|may|might|must|should|shall|has|have|had|does|do|did|also|just|only|means?|makes?|gives?|leads?|causes?|allows?|includes?|helps?|shows?|creates?|way|why|not)\b)\p{L}+|(?:it is|it was|it's)\s+(?:\p{L}+\s+){1,3}(?:to|that|for|when|if|who)\b|(?:it is|it was|it's|this is|this was) the (?:first|second|third|last|only)\s+\p{L}+|it takes\b)/iu;

/** `lower`: in lower case directly after a sentence that is not. */
export type Lean = 'none' | 'pronoun' | 'connective' | 'lower';

export function leaning(text: string, { english, lower }: { english: boolean; lower: boolean }): Lean {
  const opening = text
    .slice(0, 80)
    .replace(/^[^\p{L}\p{N}']+/u, '')
    .replaceAll('’', "'");
  if (english && CONNECTIVE.test(opening)) return 'connective';
  if (lower) return 'lower';
  return english && PRONOUN.test(opening) && !BRINGS_NOUN.test(opening) ? 'pronoun' : 'none';
}

const MIN_WORDS = 4;
const MIN_WORDS_ELSEWHERE = 3;
/** Longer texts have a verb even if the word list lacks it. */
const SURELY_A_CLAUSE = 16;
/** The same threshold for texts with a full stop. */
const SURELY_A_SENTENCE = 7;
const FINISHED = /[.!…]["'”’)\]]*$/u;

export function isFragment(text: string, english: boolean): boolean {
  const words = lengthInWords(text);
  if (!english) return words < MIN_WORDS_ELSEWHERE;
  if (words < MIN_WORDS || countContent(text) < 1) return true;
  const finished = FINISHED.test(text);
  if (words >= (finished ? SURELY_A_SENTENCE : SURELY_A_CLAUSE)) return false;
  return !hasVerb(text, words > MIN_WORDS && finished);
}

/** Whether an English text of two or three words, or of any length, is a full sentence: "Profits doubled." */
export function isTerse(text: string, ofAnyLength = false): boolean {
  const words = lengthInWords(text);
  if (words < 2 || !FINISHED.test(text) || countContent(text) < 1) return false;
  return ofAnyLength ? hasVerb(text, true) : words < MIN_WORDS && hasVerb(text, false);
}

/** Whether a text without a verb is a sentence by its stop: "No sign of mould." */
export function isWhole(text: string, english: boolean): boolean {
  return FINISHED.test(text) && lengthInWords(text) >= MIN_WORDS_ELSEWHERE && (!english || countContent(text) > 0);
}
