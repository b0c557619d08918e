const ASKS =
  /^(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had|compare|summari[sz]e|list|name|describe|explain|find|tell|show|give)\b/i;

/** Whether an intent is put as a question or as a request for an answer, rather than as a topic or a claim. */
export function asks(text: string): boolean {
  return /[?？؟]\s*$/u.test(text) || ASKS.test(text.trim());
}
