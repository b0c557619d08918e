const set = (words: string) => new Set(words.split(/\s+/));

/** Stand before a name or a word that completes them: never the end of a sentence. */
const TITLES = set(
  `dr mr mrs ms mx prof st gen sen rep gov lt col capt cpt sgt maj cmdr adm hon rev fr pres messrs mme mlle supt insp det atty
   sig sra srta dña dott avv ing dhr mevr hr fr frl univ dipl habil e.g i.e eg ie viz cf vs v resp bzw z.b d.h u.a s.o z.zt sog sogen inkl
   zzgl ggf evtl bijv d.w.z p.ex p.ej p.es т.е напр им ул г-н г-жа`,
);
/** Stand before a number. */
const BEFORE_NUMBER = set(
  `no nos nr núm fig figs vol vols p pp pg art sec sect ch chap eq eqs ca c abs bd jan feb mar apr jun jul aug sep sept oct nov dec
   approx circa par para cl ref tab §`,
);
/** End a sentence only where the next word opens one. */
const MAYBE_LAST = set(
  `inc ltd co corp llc plc bros gmbh ag etc al jr sr ph.d phd esq dept est a.m p.m am pm u.s u.k u.n u.s.a d.c e.u jan feb mar apr jun
   jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun ave blvd rd mt ft min max approx govt usw etc ecc enz ff usf mio mrd
   op ed eds trans orig misc tel ext n.b и т.д т.п др г гг млн млрд тыс руб`,
);
const STARTERS = set(
  `the a an it he she they we you i this that these those there here in on at for but and or so yet however if when while as after
   before since although though because our his her their its my your not no what who how why where which many most some all both each every
   one two such then also still thus meanwhile moreover according with by from to under is are was were do does did can could should would
   will may might let der die das es er sie wir ich ein eine in im am aber und le la les il elle nous el los las un una`,
);
/** Months and the like after an ordinal, in languages that write one with a stop: "am 3. Oktober". */
const AFTER_ORDINAL =
  /^(?:jan|feb|m[aä]r|mä|apr|ma[ijy]|jun|jul|aug|sep|o[kc]t|nov|de[cz]|jänner|jahrhundert|auflage|klasse|platz|bundesliga|weltkrieg)/iu;

const ACRONYM = /^(?:\p{L}\.)+\p{L}$/u;
const VOWEL = /[aeiouyáéíóúàèìòùäöüâêîôûαεηιουωаеёиоуыэюя]/iu;

/**
 * Whether a full stop that white space follows is part of the word before it.
 *
 * @param word what stands directly before the stop, inner stops included ("U.S", "Dr", "5").
 * @param next the first word after it, '' where none.
 */
export function isAbbreviation(word: string, next: string): boolean {
  if (!word) return false;
  const low = word.toLowerCase();
  const starts = STARTERS.has(next.toLowerCase()) && next !== 'I';
  const lower = /^\p{Ll}/u.test(next);
  const digit = /^[\p{N}§]/u.test(next);
  if (TITLES.has(low)) return next !== '' && !(low === 'st' && starts);
  if (BEFORE_NUMBER.has(low) && digit) return true;
  if (/^\p{N}+$/u.test(word)) return word.length <= 2 && AFTER_ORDINAL.test(next);
  if (COMMON_WORDS.has(low)) return /^\p{Lu}/u.test(word) && digit;
  if (MAYBE_LAST.has(low)) return lower || digit || !starts;
  if (ACRONYM.test(word)) return !starts || lower;
  if (word.length === 1) return word !== 'I' && /\p{L}/u.test(word) && !starts;
  return (
    lower && word.length <= 5 && /^\p{Script=Latin}+$/u.test(word) && !VOWEL.test(word) && !/^\p{Lu}+$/u.test(word)
  );
}

/** Abbreviations that are words too, and as likely to end a sentence. */
const COMMON_WORDS = set('sat sun mar fri wed ed am pm co min max ext trans dec jun op ag г др и');
