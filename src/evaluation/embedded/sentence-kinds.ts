import { endsInQuestion, isFragment, isPhatic, isTerse } from '../../text/index.ts';
import type { SentenceKind } from '../judge.ts';
import type { ReportRequestText } from '../shapes.ts';
import { looksEnglish } from './denials.ts';
import { LEVELS, match } from './matching.ts';
import { bearsFacts, passagesOf } from './passages.ts';

const SOURCES =
  '(?:documents?|sources?|texts?|articles?|reports?|papers?|stud(?:y|ies)|records?|transcripts?|materials?|literature|evidence|collection|authors?)';
const TELLS = String.raw`(?:say|mention|state|report|specif|describ|discuss|address|provid|contain|give|indicat|disclos|explain|tell|cover|reveal|name|identif|answer|detail|offer|show|confirm|clarif|record|establish)\w{0,8}\b`;
const NOT =
  "(?:do(?:es)? not|did not|don't|doesn't|didn't|cannot|could not|can't|couldn't|fail(?:s|ed)? to|never|nowhere|neither)";
const NONE = '(?:no|not any|little or no)';
const MATTER =
  '(?:information|mention|data|details?|figures?|evidence|records?|answers?|indication|explanation|statistics|description|reference|account|documentation)';
/** Uses of absence phrases about somebody else: "the study participants did not report pain". */
const ANOTHER = String.raw`(?:that (?!(?:is|are|was|were|have|had|we|you|i)\b)|(?:who|it|he|she|they|said|says?|shows?|showed|found|finds?|ruled|claim\w{0,4}|note[sd]?|warn\w{0,4}|argue[sd]?|suggest\w{0,4}|reveal(?:s|ed)?|indicate[sd]?|confirm(?:s|ed)?|state[sd]?|reported|participants?|patients?|subjects?|respondents?|volunteers?)\b)`;
const SUBJECT = String.raw`(?<!\bthat (?:the |this |these |any )?)\b${SOURCES}(?: (?!${ANOTHER})[^\s.;]{1,30}){0,6}?`;
const ELSEWHERE = String.raw`(?! (?:guilty\b|(?:by|to|in|for|at|from|until|as|with|on) (?!(?:[^\s.;]{1,30} ){0,3}?${SOURCES}\b)))`;
const FOUND =
  '(?:found|determined|established|identified|located|stated|specified|mentioned|reported|disclosed|given|available|documented|described|covered|addressed|discussed|recorded|answered)';
const ABOUT =
  '(?:about|on|of|as to|regarding|concerning|whether|that|for|to|in|from|before|after|beyond|how|why|when|who|what|exists?)';
const IS = '(?:is|are|was|were|remains?|remained|has been|have been)';

const ABSENCE = [
  String.raw`${SUBJECT} ${NOT} (?:\w{1,20}ly )?${TELLS}`,
  String.raw`${SUBJECT} (?:have|has|had|hold|holds|make|makes|made|${TELLS}) ${NONE} (?:[^\s.;]{1,30} ){0,2}${MATTER}\b`,
  String.raw`\b(?:none|neither|nothing) (?:of|in) (?:them|(?:the|these|those)(?: [^\s.;]{1,30}){0,3}?(?: ${SOURCES})?(?<=${SOURCES}|these|those)) (?:\w{1,20}ly )?${TELLS}`,
  String.raw`(?:^|[,;:] |\b(?:and|but|there (?:is|are|was|were|has been|have been|remains?)|there's) )${NONE} (?:[^\s.;]{1,30} ){0,2}?${MATTER} (?:${ABOUT}\b|(?:${IS}|can be|could be) (?:made|provided|there|${FOUND})\b${ELSEWHERE})`,
  String.raw`\b${IS} (?:still |currently |as yet |yet )?(?:not (?:yet )?(?:known|clear|${FOUND})\b${ELSEWHERE}|(?:unknown|unclear|unspecified|unreported|undisclosed|unavailable|undocumented|unstated|unanswered)\b(?! until\b))`,
  String.raw`\b(?:can|could) ?not be ${FOUND}\b${ELSEWHERE}`,
  String.raw`\bnothing ${IS} (?:known|said|reported|stated|mentioned|found|published)\b`,
  String.raw`(?:^|[,;:] |\b(?:and|but|as) )(?:no|neither|none of the|not one of the) (?:[^\s.;]{1,30} ){0,2}?(?:of the )?${SOURCES} (?:[^\s.;]{1,30} ){0,3}?${TELLS}`,
  String.raw`${SUBJECT} (?:is|are|was|were|remains?|stays?) silent\b`,
  String.raw`${SUBJECT} lacks? (?:[^\s.;]{1,30} ){0,2}${MATTER}\b`,
  String.raw`^(?:we|i) (?:could )?(?:found?|saw|read) nothing (?:about|on|of)\b`,
  String.raw`\b(?:is|are|remains?) an open question\b|\bremains? to be seen\b`,
].map((pattern) => new RegExp(pattern, 'iu'));

export function statesAbsence(sentence: string): boolean {
  const plain = sentence.trim().replaceAll('’', "'").replace(/\s+/gu, ' ');
  return ABSENCE.some((pattern) => pattern.test(plain));
}

const ITSELF =
  '(?:reports?|summar(?:y|ies)|digests?|sections?|overviews?|documents?|reviews?|analys[ei]s|paragraphs?|lists?|tables?|answers?|parts?|pages?)';
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
 * The kind of each sentence of a report. Questions, greetings, headings, introductions and facts from the request need
 * no citation. The rules for absences and introductions are English.
 */
export async function kindsOf(
  sentences: readonly string[],
  { problem = '', userStory = '', background = '' }: ReportRequestText,
): Promise<SentenceKind[]> {
  const passages = [problem, userStory, background].flatMap(passagesOf);
  const scores = passages.length === 0 ? [] : await match(sentences.map((reference) => ({ reference, passages })));
  return sentences.map((sentence, i) => {
    if (statesAbsence(sentence)) return 'absence';
    if (isEmptyOfClaims(sentence)) return 'neither';
    const isKnown = passages.some((passage, p) => scores[i][p] >= LEVELS.full && bearsFacts(sentence, passage));
    return isKnown ? 'neither' : 'claim';
  });
}

function isEmptyOfClaims(sentence: string): boolean {
  const text = sentence.trim();
  const isEnglish = looksEnglish(text);
  return (
    endsInQuestion(text) ||
    isPhatic(text) ||
    (isFragment(text, isEnglish) && !(isEnglish && isTerse(text))) ||
    INTRODUCTION.some((pattern) => pattern.test(text))
  );
}
