import { countContent } from '../words.ts';
import type { Piece } from './piece.ts';

export type Run = readonly Piece[];

/** Maximum length of a joined key point, in words. */
const MAX = 45;
const LONGEST = 600;
/** Maximum length in words of a sentence with an initial pronoun that is joined. */
const SHORT = 6;
const SHORT_ANSWER = 2;
/** "No. … If somebody else does, yes." */
const QUALIFIES = /^(?:if|unless|otherwise|only|except)\b/iu;
const ENOUGH_SPEECH = 12;
const MAX_SPEECH = 40;
const MIN_SPEECH = 6;
const MIN_CONTENT = 3;

const wordsIn = (run: Run) => run.reduce((sum, piece) => sum + piece.words, 0);

/** Joins pieces to key points; each run holds at least one statement. `keepsAll` keeps turns with little content. */
export function join(pieces: readonly Piece[], english: boolean, keepsAll = false): Run[] {
  const runs: Piece[][] = [];
  let open: Piece[] | undefined;
  let next = 0;
  for (const [place, piece] of pieces.entries()) {
    const last = open?.at(-1);
    if (place < next || piece.verdict === 'noise') continue;
    const items = piece.leads ? itemsUnder(pieces, place) : [];
    if (items.length > 0) {
      open = undefined;
      const list = [piece, ...items];
      if (piece.verdict === 'furniture' || !isShort(list)) continue;
      runs.push(list);
      next = place + list.length;
      continue;
    }
    if (piece.verdict === 'question' || piece.verdict === 'furniture') open = undefined;
    else if (open && last && last.paragraph === piece.paragraph && belongs(open, last, piece)) open.push(piece);
    else {
      open = [piece];
      runs.push(open);
    }
  }
  return runs.filter(
    (run) =>
      run.some(({ verdict }) => verdict === 'statement' || verdict === 'terse') && (!english || keepsAll || says(run)),
  );
}

function itemsUnder(pieces: readonly Piece[], place: number): Piece[] {
  const items: Piece[] = [];
  const isUnder = ({ under }: Piece) => under?.some(({ start }) => start === pieces[place]?.start) === true;
  for (let n = place + 1; ; n++) {
    const piece = pieces[n];
    if (!piece || !isUnder(piece)) return items;
    items.push(piece);
  }
}

function isShort(list: Run): boolean {
  const isSaid = list.every(({ verdict, row }) => !row && verdict !== 'question' && verdict !== 'furniture');
  const [first, last] = [list[0], list.at(-1)];
  return isSaid && wordsIn(list) <= MAX && (last?.end ?? 0) - (first?.start ?? 0) <= LONGEST;
}

function belongs(run: Run, last: Piece, piece: Piece): boolean {
  if (piece.part || piece.row || piece.end - (run[0]?.start ?? 0) > LONGEST) return false;
  const words = wordsIn(run);
  if (piece.spoken) {
    if (words + piece.words > MAX_SPEECH) return false;
    return words < ENOUGH_SPEECH || piece.verdict === 'thin' || piece.lean !== 'none';
  }
  if (words + piece.words > MAX) return false;
  if (last.verdict === 'stub' || piece.verdict === 'stub' || (last.head && run.length === 1)) return true;
  // "Yes." and "From a hotel." mean little alone.
  const [first] = run;
  const isShortAnswer = first?.answers && first.words <= SHORT_ANSWER && first.verdict !== 'statement';
  if (isShortAnswer && (run.length === 1 || QUALIFIES.test(piece.text))) return true;
  return piece.lean === 'connective' || piece.lean === 'lower' || (piece.lean === 'pronoun' && piece.words <= SHORT);
}

function says(run: Run): boolean {
  if (!run[0]?.spoken) return true;
  return wordsIn(run) >= MIN_SPEECH && countContent(run.map((piece) => piece.text).join(' ')) >= MIN_CONTENT;
}
