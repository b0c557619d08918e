const SOURCES =
  '(?:documents?|sources?|texts?|articles?|reports?|papers?|stud(?:y|ies)|records?|transcripts?|materials?|literature|evidence|collection|authors?|none of (?:the|these|them)[^,.;]*)';
const TELLS = String.raw`(?:say|mention|state|report|specif|describ|discuss|address|provid|contain|give|indicat|disclos|explain|tell|cover|includ|reveal|name|identif|answer|detail|offer|show|confirm|clarif|record|establish)\w*`;
const NOT =
  "(?:do(?:es)? not|did not|don't|doesn't|didn't|cannot|could not|can't|couldn't|fail(?:s|ed)? to|never|nowhere|neither)";
const MATTER =
  '(?:information|mention|data|details?|figures?|evidence|records?|answers?|indication|explanation|statistics|description|reference|account|documentation)';

/** Ways in which English says that something is not known, or not in the documents. */
const ABSENCE = [
  new RegExp(String.raw`\b${SOURCES}\b[^.;]{0,40}\b(?:${NOT})\s+(?:\w+ly\s+)?${TELLS}`, 'iu'),
  new RegExp(String.raw`\b(?:none|neither|nothing) (?:of|in) (?:the|these|those|them)\b[^.;]{0,60}\b${TELLS}`, 'iu'),
  new RegExp(
    String.raw`\b(?:no|without any|not any|little or no) (?:\w+ ){0,2}${MATTER}\b[^.;]{0,60}?\b(?:is|are|was|were|has been|have been|exists?|can be|could be|in|about|on|of|as to|whether|that|for)\b`,
    'iu',
  ),
  /\b(?:is|are|was|were|remains?|remained) (?:still |currently |as yet |yet )?(?:not (?:yet )?(?:known|stated|specified|mentioned|reported|disclosed|given|available|documented|described|covered|addressed|discussed|clear|recorded|answered|found)|unknown|unclear|unspecified|unreported|undisclosed|unavailable|undocumented|unstated|unanswered)\b/iu,
  /\b(?:could|can|was|were) ?not (?:be )?(?:found|determined|established|identified|located)\b/iu,
  /\bnothing (?:is|was|has been) (?:known|said|reported|stated|mentioned|found|published)\b/iu,
];

/** Whether an English sentence says that something is not known or not in the documents. */
export function statesAbsence(sentence: string): boolean {
  const plain = sentence.replaceAll('’', "'").replace(/\s+/gu, ' ');
  return ABSENCE.some((pattern) => pattern.test(plain));
}
