const MARK = /[?？؟;\u037e⸮՞፧⁇⁈‽]/u;
const QUESTION = /[?？؟\u037e⸮՞፧⁇⁈‽][\s"'”’»)\]」』）!！?？؟.*_]*$/u;
/** A semicolon asks in Greek. */
const GREEK = /\p{Script=Greek};[\s"'”’»)\]]*$/u;
/** `… and ask "OK?".`: the stop after the closing mark ends a statement. */
const QUOTED = /["'”’»)][.。]\s*$/u;

/** Whether a text ends as a question does, in any script. */
export function isQuestion(text: string): boolean {
  const end = text.slice(-12);
  return MARK.test(end) && ((QUESTION.test(end) && !QUOTED.test(end)) || GREEK.test(end));
}
