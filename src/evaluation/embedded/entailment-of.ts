import type { EntailmentTask, EntailmentVerdict } from '../judge.ts';
import { bearsFacts } from './differences.ts';
import type { Scores } from './match.ts';
import { type Matching, ranked } from './matching.ts';
import { type Passage, passagesOf, shownOf } from './passage.ts';

/** Passages, from the best on, that are asked whether they bear the facts of a claim. */
const LOOKED_AT = 8;

/** Whether one of some texts entails each claim: covers it fully, with every number and name of it, and does not deny it. */
export async function entailmentOf(
  tasks: readonly EntailmentTask[],
  { levels, find }: Matching,
): Promise<EntailmentVerdict[]> {
  const read = passageMemory();
  const matches = tasks.map(({ claim, texts }) => ({ reference: claim, passages: read(texts) }));
  const scores = await find(matches);
  return matches.map(({ reference, passages }, i) => verdictOf(reference, passages, scores[i], levels));
}

function verdictOf(
  claim: string,
  passages: readonly Passage[],
  scores: Scores,
  { half, full }: Matching['levels'],
): EntailmentVerdict {
  const texts = passages.map(({ text }) => text);
  const order = ranked(scores, texts)
    // What is said twice takes the place of nothing else.
    .filter((place, rank, all) => rank === 0 || texts[place] !== texts[all[rank - 1]])
    .slice(0, LOOKED_AT);
  const holding = order.filter((place) => scores[place] >= full && bearsFacts(claim, passages[place]));
  const shown = shownOf(holding, passages, scores);
  if (shown !== null) return { holds: true, score: scores[shown], evidence: passages[shown].text };
  const [best] = order;
  if (best === undefined) return { holds: false, score: 0, evidence: null };
  // A score from `full` on is that of a text that says enough, about other numbers or names.
  const score = Math.min(scores[best], full - Number.EPSILON);
  return { holds: false, score, evidence: scores[best] >= half ? passages[best].text : null };
}

/** Passages of texts, one array for the same texts, so that they are looked through once for all claims. */
function passageMemory(): (texts: readonly string[]) => readonly Passage[] {
  const ofText = new Map<string, Passage[]>();
  const ofTexts = new Map<string, readonly Passage[]>();
  return (texts) => {
    const key = JSON.stringify(texts);
    const known = ofTexts.get(key);
    if (known !== undefined) return known;
    const passages = texts.flatMap((text) => {
      const read = ofText.get(text) ?? passagesOf(text);
      ofText.set(text, read);
      return read;
    });
    ofTexts.set(key, passages);
    return passages;
  };
}
