import { WORDY } from './documents/document.ts';

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

export function wordsOf(text: string): string[] {
  return text.split(/[\s\u2014\u2013]+/u).filter((word) => WORDY.test(word));
}

/** A number with its noun: "1 document", "2 documents". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Length in words; two characters count as one word in scripts without spaces. */
export function lengthInWords(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil(wide / 2) + (wide ? wordsOf(text.replace(WIDE, ' ')).length : wordsOf(text).length);
}

function bare(word: string): string {
  return word
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '');
}

const set = (words: string) => new Set(words.split(/\s+/));

const MARKERS = set(
  'the of and to is that are was for with it they be this have not you we on as will should would there their has can if but what because',
);

const EMPTY = set(
  `a about above actually after again ah all alright already also always am an and another any anything anyway are around as ask at away back basically
   be because been before being between bit both bring but by bye call came can can't cannot cause cos could couldn't course cuz definitely did didn't different do does
   doesn't doing don't done down each either else even ever every everybody everyone everything exactly feel few find fine for from gave get gets
   getting give go goes going gone gonna good got gotta great guess guy guys had happen has have haven't having he hello hello he's her here hers hey hi him
   his hmm hold hope how however i i'd i'll i'm i've idea if in indeed into is isn't it it'd it'll it's its itself just keep kind kinda knew know
   let let's like little look looked looking looks lot lots made make makes making many may maybe me mean means might mine minute mm moment more
   most much must my myself name need never new next nice no nope not nothing now of off oh ok okay on once one ones only onto oops or other our
   out over own particular perfect perhaps please point possible possibly pretty probably put quite rather ready really right said same saw say saying says
   second see seem seems seen shall she should show so some somebody someone something somewhere sorry sort still stuff such sure take taken talk
   talking tell than thank thanks that that'd that'll that's the their theirs them then there there's these they they'd they'll they're they've
   thing things think thinking this those though thought three through time to today together told too took totally tried try trying two uh
   uh-huh um under until up us use used very wait wanna want wanted was wasn't way we we'd we'll we're we've welcome well went were weren't what
   what's whatever when where whether which while who whole why will wish with without won't wonder word work would wouldn't yeah yep yes yet you you'd
   you'll you're you've your yours`,
);

const VERBS = set(
  `is are was were be am isn't aren't wasn't weren't has have had hasn't haven't hadn't do does did don't doesn't didn't dont doesnt didnt
   can could will would shall should may might must cannot can't cant couldn't won't wont wouldn't shouldn't mustn't needn't isnt arent wasnt
   it's that's he's she's there's what's here's who's let's i'm you're we're they're i've you've we've they've i'd you'd we'd they'd he'd she'd
   i'll you'll we'll they'll it'll he'll she'll that'll gets get got gets goes go went makes make made takes take took gives give gave
   says say said sees see saw knows know knew thinks think thought comes come came becomes become became means mean meant needs need
   wants want keeps keep kept lets let puts put helps help allows allow causes cause leads lead led shows show showed rises rise rose falls fall fell
   grows grow grew loses lose lost wins win won pays pay paid spends spend spent buys buy bought sells sell sold costs cost cuts cut hits hit
   holds hold held stands stand stood runs run ran begins begin began brings bring brought builds build built finds find found feels feel felt
   leaves leave left seems seem remains remain believes believe works work provides provide creates create requires require offers offer
   includes include supports support protects protect reduces reduce increases increase improves improve prevents prevent ensures ensure
   harms harm hurts hurt kills kill saves save deserves deserve depends depend tends tend exists exist happens happen serves serve
   uses use used affects affect encourages encourage forces force ends end violates violate limits limit benefits benefit suffers suffer
   teaches teach taught learns learn learned lives live lived dies die died plays play played tells tell told asks ask sends send sent sets set
   drives drive drove speaks speak spoke writes write wrote reads read eats eat ate breaks break broke catches catch caught chooses choose chose
   fights fight fought forgets forget forgot hears hear heard hides hide hid meets meet met rides rise seeks seek sought shoots shoot shot sits sit sat
   sleeps sleep slept stays stay stole steal steals swims throws throw threw understands understand understood wears wear wore looks look turns turn
   plans plan expects expect hopes hope agrees agree argues argue claims claim considers consider deters deter deals deal lacks lack relies rely
   supposes suggests suggest ought gonna gotta wanna wanna love loves hate hates like likes prefer prefers goes add adds move moves change changes
   carry carries follow follows matter matters outweigh outweighs promote promotes undermine undermines threaten threatens contribute contributes`,
);

const ENGLISH_SHARE = 0.12;

/** Whether a text looks English enough for the English rules, by its first words. */
export function followsEnglishRules(text: string): boolean {
  const words = wordsOf(text.slice(0, 20_000));
  if (words.length < 4) return false;
  let hits = 0;
  for (const word of words) if (MARKERS.has(bare(word))) hits++;
  return hits / words.length >= ENGLISH_SHARE;
}

/** Whether an English text may contain a finite verb. Lenient if a full stop ends it: any later word in -s then counts ("robs"). */
export function hasVerb(text: string, finished = false): boolean {
  return wordsOf(text).some((raw, n) => {
    const word = bare(raw);
    if (VERBS.has(word) || /(?:n't|'re|'ll|'ve|'d)$/.test(word)) return true;
    if (n === 0 || word.length < 4) return /'s$/.test(word) && n === 0;
    return /(?:[^e]ed|izes?|ises?|ifies|ates)$/.test(word) || (finished && /[^su'i]s$/.test(word));
  });
}

export function countContent(text: string): number {
  const seen = new Set<string>();
  for (const raw of wordsOf(text)) {
    const word = bare(raw);
    if (word.length > 2 && !EMPTY.has(word.replace(/'s$/, ''))) seen.add(word);
  }
  return seen.size;
}

export function isCommon(word: string): boolean {
  return EMPTY.has(word) || VERBS.has(word);
}

const SAMPLE = 20_000;
const SPOKEN =
  /\{[a-z]{2,20}\}|(?<![\p{L}\p{N}'’-])(?:u[hm]+|erm?|äh+m?|euh|hmm+|mm+(?:-?hmm*)?)(?![\p{L}\p{N}'’-])|\s[.,?](?=\s|$)/giu;
const SHARE = 0.01;

export function isDisfluent(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  const marks = sample.match(SPOKEN)?.length ?? 0;
  return marks > 1 && marks >= SHARE * sample.split(/\s+/u).length;
}

const MARK = /[?？؟;\u037e⸮՞፧⁇⁈‽]/u;
const QUESTION = /[?？؟\u037e⸮՞፧⁇⁈‽][\s"'”’»)\]」』）!！?？؟.*_]*$/u;
/** In Greek a semicolon asks. */
const GREEK = /\p{Script=Greek};[\s"'”’»)\]]*$/u;
/** `… and ask "OK?".` is a statement. */
const QUOTED = /["'”’»)][.。]\s*$/u;

export function endsInQuestion(text: string): boolean {
  const end = text.slice(-12);
  return MARK.test(end) && ((QUESTION.test(end) && !QUOTED.test(end)) || GREEK.test(end));
}
