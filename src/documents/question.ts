const QUESTION = /[?？؟;⸮՞፧⁇⁈‽][\s"'”’»)\]」』）!！?？؟.*_]*$/u;

/** Whether a text ends as a question does, in any script. */
export function isQuestion(text: string): boolean {
  return QUESTION.test(text.slice(-12));
}
