/** Greetings, thanks and answers that say nothing of the matter. */
const PHATIC =
  /^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|night|day)|welcome|thanks?|thank you|cheers|bye|goodbye|see you|(?:kind|best|warm) regards|sincerely|yours|congratulations|happy|please (?:welcome|join)|ladies and gentlemen|mr\.? (?:speaker|president)|yes|no|yeah|yep|nope|ok|okay|right|sure|exactly|absolutely|great|cool|nice|fine|perfect|sorry|excuse me|oh|wow|hmm|mm|uh|um|mm-hmm|uh-huh|of course|i see|i know|i agree|me too|fair enough|there you go|here we go|let's see|let me see)\b[^\p{L}]*)+/iu;
/** So many words after a greeting still belong to it: "Thank you very much for coming, everyone." */
const TAIL = 7;

/** An address to the audience, up to the last person or body it names. */
const SALUTATION =
  /^(?:(?:mr|mrs|ms|madam)\.? (?:vice )?(?:president|speaker|chairman|chairwoman|chair)|(?:ladies and gentlemen|distinguished|honou?red|members of|my fellow|fellow)\b)(?:[^!?:;]{0,80}?\b(?:congress|senate|house|parliament|assembly|board|guests|colleagues|members|americans|citizens|friends|gentlemen|president|speaker|chairman)\b)*[^\p{L}]*/iu;
/** "I come before you tonight to report …": what a speaker says of the speech itself. */
const OPENING = /^(?:i|we)\b[^.!?]*\b(?:come|stand|report|speak|am|are)\b[^.!?]*\b(?:you|tonight|today|here)\b/iu;

/** Whether a sentence only addresses the audience, or with the address says no more than that somebody speaks. */
function isSalutation(text: string): boolean {
  const rest = text.replace(SALUTATION, '');
  return rest !== text && (!/\p{L}/u.test(rest) || OPENING.test(rest));
}

/** Whether a sentence only greets, thanks or answers. */
export function isPhatic(text: string): boolean {
  if (isSalutation(text)) return true;
  const rest = text.replace(PHATIC, '');
  if (rest === text) return false;
  return (
    rest.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length <=
    (/^(?:thank|hello|hi|dear|good|welcome|bye)/iu.test(text) ? TAIL : 1)
  );
}

const POLAR = /^(?:yes|no|yeah|yep|nope|not (?:yet|really|at all)|never|of course|exactly|absolutely|sure)\b/iu;

/** Whether a short answer says yes or no. */
export function isPolar(text: string): boolean {
  return POLAR.test(text);
}
