/** Greetings, thanks and answers that say nothing of the matter. */
const PHATIC =
  /^(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|night|day)|welcome|thanks?|thank you|cheers|bye|goodbye|see you|(?:kind|best|warm) regards|sincerely|yours|congratulations|happy|please (?:welcome|join)|ladies and gentlemen|mr\.? (?:speaker|president)|yes|no|yeah|yep|nope|ok|okay|right|sure|exactly|absolutely|great|cool|nice|fine|perfect|sorry|excuse me|oh|wow|hmm|mm|uh|um|mm-hmm|uh-huh|of course|i see|i know|i agree|me too|fair enough|there you go|here we go|let's see|let me see)\b[^\p{L}]*)+/iu;
/** So many words after a greeting still belong to it: "Thank you very much for coming, everyone." */
const TAIL = 7;

/** Whether a sentence only greets, thanks or answers. */
export function isPhatic(text: string): boolean {
  const rest = text.replace(PHATIC, '');
  if (rest === text) return false;
  return (
    rest.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length <=
    (/^(?:thank|hello|hi|dear|good|welcome|bye)/iu.test(text) ? TAIL : 1)
  );
}
