/** How much of a text is looked at. */
const SAMPLE = 20_000;
/** Marks of a transcriber, fillers, and points set apart as a tokeniser does. */
const SPOKEN =
  /\{[a-z]{2,20}\}|(?<![\p{L}\p{N}'’-])(?:u[hm]+|erm?|äh+m?|euh|hmm+|mm+(?:-?hmm*)?)(?![\p{L}\p{N}'’-])|\s[.,?](?=\s|$)/giu;
/** Share of the words from which a text was taken down as it was spoken. */
const SHARE = 0.01;

/** Whether a text was taken down word for word as people talked, fillers and all, rather than written. */
export function isDisfluent(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  const marks = sample.match(SPOKEN)?.length ?? 0;
  return marks > 1 && marks >= SHARE * sample.split(/\s+/u).length;
}
