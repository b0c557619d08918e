import { STOP_WORDS } from '../../text/index.ts';

const words = (list: string) => new Set(list.trim().split(/\s+/u));

const DENYING = words(`
not no never cannot without neither nor nobody nothing none hardly barely scarcely rarely seldom lack lacks lacked lacking
refuse refuses refused refusing reject rejects rejected rejecting fail fails failed failing deny denies denied denying unable
instead except nicht kein keine keinen keinem keiner keines niemals nie pas jamais aucun aucune nunca ningún ninguna nessun
nessuna não nem niet geen nooit inte aldrig nigdy не нет никогда`);

/** Number of denying words, in English and the commonest of nine other languages. */
export function denials(text: string): number {
  return lowerCasedWords(text).filter((word) => DENYING.has(word) || word.endsWith("n't")).length;
}

const FOREIGN = words(`
der die das und ist nicht ein eine mit für auf von el la los las que es un una por con del le les des est et une pas dans il lo gli
della che di non è het een niet van och är inte att det não os da do em um uma para jest nie się`);

/** A cheap test, not a language detector: false if words of other languages outnumber English ones. */
export function looksEnglish(text: string): boolean {
  const lowerCased = lowerCasedWords(text);
  const foreign = lowerCased.filter((word) => FOREIGN.has(word)).length;
  return foreign === 0 || lowerCased.filter((word) => STOP_WORDS.has(word)).length > foreign;
}

const WORD = /\p{L}(?:[\p{L}\p{M}\p{N}]|['’-](?=\p{L}|\p{N}))*/gu;

function lowerCasedWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase().replaceAll('’', "'"));
}
