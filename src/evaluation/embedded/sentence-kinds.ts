import { isQuestion } from '../../text/documents/question.ts';
import { isFragment, isTerse } from '../../text/key-points/fragment.ts';
import { isPhatic } from '../../text/key-points/phatic.ts';
import { tokensOf } from '../../summary/contradiction/tokens.ts';
import { looksEnglish } from '../../summary/contradiction/vocabulary.ts';
import type { SentenceKind } from '../judge.ts';
import type { ReportRequestText } from '../../contract/evaluation-request.ts';
import { statesAbsence } from './absence.ts';
import { bearsFacts } from './differences.ts';
import type { Matching } from './matching.ts';
import { passagesOf } from './passage.ts';

const ITSELF =
  '(?:reports?|summar(?:y|ies)|digests?|sections?|overviews?|documents?|reviews?|analys[ei]s|paragraphs?|lists?|tables?|answers?|parts?|pages?)';
/** What a report says of itself. */
const INTRODUCTION = [
  new RegExp(
    `^(?:in )?(?:this|the following|the present|our|my) ${ITSELF},? ?(?:we |i |will |also |briefly |first |then )*(?:cover|summari[sz]e|describe|present|look|discuss|review|outline|examine|address|explore|consider|give|provide|set|answer|focus|is (?:structured|organi[sz]ed|about|based)|draws?|aims?|deals?)`,
    'iu',
  ),
  /^(?:below|above|here|next|first)\b[^.;]{0,60}\b(?:summari[sz]|overview|we (?:present|list|describe|look|turn))/iu,
  new RegExp(
    `^(?:below|above|here) (?:is|are) (?:an?|the) (?:[^ .;]{1,30} ){0,3}?(?:${ITSELF}|outline|findings|results|points|answers|conclusions|details)\\b`,
    'iu',
  ),
  /^(?:in (?:summary|conclusion|short|brief|sum)|to (?:summari[sz]e|conclude|sum up)|overall|finally|in closing)[,:.]?\s*$/iu,
  /:\s*$/u,
];

/**
 * What kind each sentence of a report is. It needs no citation where it is a question, a greeting, a heading, what the
 * report says of itself, or what the request says already. The rules for absences and introductions are English.
 */
export async function kindsOf(
  sentences: readonly string[],
  { problem = '', userStory = '', background = '' }: ReportRequestText,
  { levels, find }: Matching,
): Promise<SentenceKind[]> {
  const passages = [problem, userStory, background].flatMap(passagesOf);
  const scores = passages.length === 0 ? [] : await find(sentences.map((reference) => ({ reference, passages })));
  return sentences.map((sentence, i) => {
    if (statesAbsence(sentence)) return 'absence';
    if (isEmptyOfClaims(sentence)) return 'neither';
    const isKnown = passages.some((passage, p) => scores[i][p] >= levels.full && bearsFacts(sentence, passage));
    return isKnown ? 'neither' : 'claim';
  });
}

function isEmptyOfClaims(sentence: string): boolean {
  const text = sentence.trim();
  const isEnglish = looksEnglish(tokensOf(text).map(({ lower }) => lower));
  return (
    isQuestion(text) ||
    isPhatic(text) ||
    (isFragment(text, isEnglish) && !(isEnglish && isTerse(text))) ||
    INTRODUCTION.some((pattern) => pattern.test(text))
  );
}
