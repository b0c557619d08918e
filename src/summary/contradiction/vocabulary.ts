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
