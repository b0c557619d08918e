/** Openers that continue the sentence before: without it the sentence says something else, or nothing. */
const CONNECTIVE =
  /^(?:therefore|thus|hence|consequently|accordingly|however|nevertheless|nonetheless|otherwise|instead|similarly|likewise|conversely|furthermore|moreover|additionally|besides|also|but|so|and|or|nor|yet|then|because|'?cause|cuz|'?cos|because of (?:this|that)|for (?:example|instance)|in (?:addition|contrast|turn|fact|other words|particular|this way|that way|this case|that case)|as a result|as such|on the other hand|on the contrary|by contrast|that is|that said|after all|even so|this way|that way|at the same time|which)\b(?! (?:of|it was) (?:the|a|an)\b)/iu;
/** A pronoun alone as the subject, whose noun stands before. */
const PRONOUN =
  /^(?:it|it's|its|this|that|that's|these|those|they|they're|their|he|she|he's|she's|his|her|him|them|such|both|neither|some|others|doing (?:so|this|that))\b/iu;
/** "This policy", "those who", "it is right to": a pronoun that brings what it stands for reads alone. */
const BRINGS_NOUN =
  /^(?:(?:this|that|these|those|such|both|some)\s+(?!(?:is|are|was|were|will|would|can|could|may|might|must|should|shall|has|have|had|does|do|did|also|just|only|means?|makes?|gives?|leads?|causes?|allows?|includes?|helps?|shows?|creates?|way|why|not)\b)\p{L}+|(?:it is|it was|it's)\s+(?:\p{L}+\s+){1,3}(?:to|that|for|when|if|who)\b|(?:it is|it was|it's|this is|this was) the (?:first|second|third|last|only)\s+\p{L}+|it takes\b)/iu;

/** `lower`: a sentence typed in lower case after one that is not, straight on. */
export type Lean = 'none' | 'pronoun' | 'connective' | 'lower';

/** How a sentence leans on the one before it, judged by how it opens. English openers; lower case in any script. */
export function leaning(text: string, { english, lower }: { english: boolean; lower: boolean }): Lean {
  const opening = text
    .slice(0, 80)
    .replace(/^[^\p{L}\p{N}']+/u, '')
    .replaceAll('’', "'");
  if (english && CONNECTIVE.test(opening)) return 'connective';
  if (lower) return 'lower';
  return english && PRONOUN.test(opening) && !BRINGS_NOUN.test(opening) ? 'pronoun' : 'none';
}
