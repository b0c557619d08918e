const PHRASES =
  /\b(?:cookies?\b.{0,60}\b(?:use|uses|using|accept|policy|settings|consent|experience)|(?:use|uses|using|accept|accepting) (?:of )?(?:all )?cookies|click (?:here|below|the (?:link|button))|subscribe (?:to|now|today|for)|sign up (?:for|to|now|today)|sign in to|log ?in to|all rights reserved|terms (?:of (?:use|service)|and conditions)|privacy policy|newsletter|read more|learn more at|follow us|share (?:this|on) |skip to (?:main )?content|back to top|advertisement|sponsored content|javascript (?:is|to)|enable javascript|photo(?:graph)? by|image credit|getty images|download (?:the|our) app|table of contents|unsubscribe|view in (?:your )?browser|this article (?:was|is) (?:originally )?(?:published|updated)|reprinted with permission)\b/iu;
const MARKS = /(?:^|\s)(?:©|\(c\)\s*\d{4}|copyright\s+(?:©|\(c\)|\d{4}))/iu;
const BYLINE =
  /^(?:by\s+\p{Lu}[\p{L}.'’-]+(?:\s+(?:and\s+)?\p{Lu}[\p{L}.'’-]*){0,6}|(?:published|updated|posted|last (?:updated|modified))\b.{0,60}|(?:tags?|categories|filed under|share|related)\s*:.*)$/iu;
const NAVIGATION = /^[^.!?]{0,200}(?:\s[|›»>]\s[^|›»>]{1,40}){2,}$/u;
/** Web pages repeat such phrases in short lines; a long sentence that mentions cookies is about cookies. */
const LONGEST = 240;

/** Whether a sentence is the page's own furniture: consent, subscription, copyright, navigation, bylines. */
export function isBoilerplate(text: string): boolean {
  if (text.length > LONGEST) return false;
  return MARKS.test(text) || BYLINE.test(text) || NAVIGATION.test(text) || PHRASES.test(text) || isAddress(text);
}

/** Whether a line says who wrote a text, or when it came out. */
export function isByline(text: string): boolean {
  return text.length <= LONGEST && BYLINE.test(text);
}

/** Little beside an address. */
function isAddress(text: string): boolean {
  const rest = text.replace(/(?:https?:\/\/|www\.)\S+|\S+@\S+\.\S+/giu, '');
  return rest.length < text.length && rest.replace(/[^\p{L}]/gu, '').length < 12;
}
