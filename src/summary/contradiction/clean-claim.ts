const REPORTING =
  'says?|said|finds?|found|shows?|showed|shown|suggests?|suggested|reports?|reported|argues?|argued|claims?|claimed|concludes?|concluded|' +
  'estimates?|estimated|believes?|believed|thinks?|thought|warns?|warned|notes?|noted|states?|stated|indicates?|indicated|reveals?|revealed|' +
  'confirms?|confirmed|announced|announces?|maintains?|maintained|insists?|insisted|knows?|agrees?|agreed|mean|means|certain|clear|true|fact|evidence';
const REPORTED = new RegExp(`^[^.;:]{1,100}?\\b(?:${REPORTING})\\s+that\\s+(?=\\S)`, 'iu');
const DENIED =
  /^(?:(?:there is|there's|we have|we found|researchers found|they found) no (?:\w+ )?evidence that|it is (?:not true|false|untrue|a myth) that|it is not the case that)\s+/iu;
const NEGATED = /\b(?:not|no|never|cannot|den(?:y|ies|ied)|doubts?|doubted|neither|nor)\b|n['’]t\b/iu;
const CONNECTIVE =
  /^(?:however|moreover|furthermore|in fact|indeed|in addition|also|but|and|yet|still|thus|therefore|overall|in short|by contrast|in contrast|on the other hand|for example|for instance|today|clearly|notably|importantly),?\s+/iu;
const ACCORDING = /^according to [^,]{1,80},\s+/iu;
const ACCORDING_AFTER = /,?\s+according to [^,;]{1,80}$/iu;
const SAID_AFTER =
  /,\s+(?:[^,;]{1,40}\s)?(?:says|said|argues|argued|reports|reported|claims|claimed)(?:\s[^,;]{1,40})?$/iu;
const FRONTED =
  /^((?:in|on|by|since|during|after|before|over|at|for|last|this|next|within|under|across|among|between)\b[^,;:]{1,60}),\s+(.+)$/iu;

export interface Claim {
  /** The claim alone: without who says so, without opening connective and end punctuation, adverbials behind the verb. */
  readonly text: string;
  /** It is reported as not being so ("there is no evidence that…"). */
  readonly denied: boolean;
}

/** Takes a sentence down to what it claims; null for questions and for reports that are negated in themselves. */
export function cleanClaim(sentence: string): Claim | null {
  if (/[?？]/u.test(sentence)) return null;
  let text = sentence
    .trim()
    .replace(/^["“‘']+|["”’']+$/gu, '')
    .replace(/[\s.!;,:]+["”]?$/u, '');
  let denied = false;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(CONNECTIVE, '').replace(ACCORDING, '').replace(ACCORDING_AFTER, '').replace(SAID_AFTER, '');
    if (DENIED.test(text)) {
      if (denied) return null;
      denied = true;
      text = text.replace(DENIED, '');
    }
    const reported = text.match(REPORTED)?.[0];
    if (reported) {
      if (NEGATED.test(reported)) return null;
      text = text.slice(reported.length);
    }
  }
  const fronted = text.match(FRONTED);
  // "By 2030, X" and "X by 2030" claim the same.
  if (fronted) text = `${fronted[2]} ${lowerFirst(fronted[1] ?? '')}`;
  return { text, denied };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
