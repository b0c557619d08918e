import { stem } from './stem.ts';

const words = (list: string) => new Set(list.trim().split(/\s+/u));

/** Words that carry no matter of their own. */
export const FUNCTION_WORDS = words(`
a an the be am is are was were been being have has had having do does did doing will would shall should must ought may might can could
  i you we us our ours your he she it its they them their his her him me my of in on at by to from into onto about
over under up down out off as than then so and or but nor if that this these those there here who whom whose which what when where
while because since although though however also too very quite rather just even still already both either neither each own same
such for with within without between through during before after per via upon across among against not never no cannot
any some ever it's there's that's thus therefore hence moreover furthermore`);

/** Content that may be there or not without changing what is claimed. */
export const SOFT_WORDS = words(`
new additional extra total overall altogether really actually significantly substantially considerably greatly slightly strongly clearly
generally usually typically largely mainly roughly approximately currently now fully simply certainly definitely indeed
fact important major overall well much far nearly almost about`);

export const PREPOSITIONS = words(`
of in on at by from into onto about over under with within without between through during before after per via upon across among
against for to as than despite amid toward towards around near until`);

export const DETERMINERS = words('a an the this these those its their our his her my your no any some every each all');

/** After these a clause holds only for some, or only sometimes: statements that differ inside one are about different things. */
export const RELATIVES = words('who whom whose which where when whenever if unless while whether once until');

/** One such word, and both statements can be true. */
export const HEDGES = words(`
some many several certain other others another various one sometimes occasionally often may might could perhaps possibly probably
partly partially potentially`);

export const OBLIGATIONS = words('should must ought shall');
export const FORECASTS = words(
  'will would expected projected forecast planned predicted proposed target aims hopes intends',
);
/** Their time is that of the document: "this year" in two documents can be two years. */
export const DEICTICS = words(`
this present current currently last past next ago today tonight yesterday tomorrow now same preceding previous recent recently later
earlier so annual fiscal`);
export const FIRST_PERSONS = words("i we us our ours my mine me i'm i've we're we've");
export const DANGLING_SUBJECTS = words(
  'it he she they this that these those such its their his her here there one others',
);
export const STANCES = words(
  'support supports supported oppose opposes opposed favor favors favour favours believe think agree disagree accept reject approve endorse like dislike trust',
);

/** Own data: two papers that call themselves "the study" are two studies. */
export const SELF_REFERENCES = words(
  'study survey poll paper trial experiment sample participants respondents article author authors interviewees dataset patient user customer',
);

export const AUXILIARIES = words(`
is are was were be been being am become becomes became remain remains remained seem seems seemed appear appears appeared look looks
looked feel feels felt prove proves proved stay stays stayed have has had will would should must can could may might do does did make
makes made consider considers considered get gets got find finds found offer offers offered provide provides provided give gives gave
produce produces produced show shows showed lead leads led cause causes caused bring brings brought mean means meant result results
resulted see sees saw pay pays paid earn earns earned cost costs report reports reported work works run runs want wants expect expects`);

/** Verbs after which "an increase" is what happens, not what is spoken of. */
export const YIELDS = words(
  'lead leads led leading cause causes caused causing bring brings brought mean means meant result results resulted see sees saw seen produce produces produced contribute contributes contributed show shows showed',
);

/** Happenings that have one date. */
export const ONE_TIME = new Set(
  [
    ...words(
      'found establish open sign born die launch complete build invent discover begin end enact ratify introduce start close start adopt abolish publish release',
    ),
  ].map(stem),
);

export const LABELS = words(`
section article chapter figure table page version level type phase group room route highway act amendment grade step number no
question part volume title item rule class category tier zone ward district line gate season episode covid
january february march april may june july august september october november december`);

export const TIME_WORDS = new Set(
  [
    ...words(`year month week quarter decade century today yesterday tomorrow last next previous former current recent
    recently early late earlier later first second third ago annually monthly
    january february april june july august september october november december spring summer autumn winter`),
  ].map(stem),
);

const SYNONYMS: readonly string[] = [
  'worker employee staff',
  'company firm business corporation',
  'programme program plan scheme',
  'create generate produce',
  'child kid',
  'car automobile',
  'usa us america',
  'house home',
  'purchase buy',
  'whole entire',
  'people person',
  'big large huge',
  'labour labor',
  'percent percentage',
];
const CANONICAL = new Map(
  SYNONYMS.flatMap((line) => {
    const [head = '', ...rest] = line.split(' ').map(stem);
    return rest.map((word) => [word, head] as const);
  }),
);

/** The stem of a word, one for all its close synonyms. */
export function keyOf(word: string): string {
  const key = stem(word);
  return CANONICAL.get(key) ?? key;
}

const FOREIGN = words(`
der die das und ist nicht ein eine mit für auf von el la los las que es un una por con del le les des est et une pas dans il lo gli
della che di non è het een niet van och är inte att det não os da do em um uma para jest nie się`);

/** Frequent words at the head of a statement that are no names. */
export const COMMON_OPENERS = words(`
remote nuclear solar wind coffee tea vaccines vaccine immigrants immigrant refugees workers employees employers companies firms schools
students teachers parents children women men people patients doctors hospitals cities countries governments farmers consumers voters
prices wages rents taxes tariffs sales exports imports costs profits jobs crime poverty growth inflation unemployment demand supply
climate carbon electric renewable fossil public private social free economic global local rural urban young older working work home office
homes schools teams managers meetings commuting productivity output morale turnover screen sugar salt meat red`);

/** Cheap guard, not a language detector: a text with more function words of other languages than of English is not English. */
export function looksEnglish(lowerCased: readonly string[]): boolean {
  let foreign = 0;
  let english = 0;
  for (const word of lowerCased) {
    if (FUNCTION_WORDS.has(word)) english += 1;
    if (FOREIGN.has(word)) foreign += 1;
  }
  return foreign === 0 || english > foreign;
}
