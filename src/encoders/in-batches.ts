/** Parts a list of texts into runs of at most so many texts, and so many characters unless one text alone has more. */
export function inBatches(texts: readonly string[], mostTexts: number, mostCharacters: number): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length === mostTexts || characters + text.length > mostCharacters) {
      batches.push([text]);
      characters = text.length;
    } else {
      last.push(text);
      characters += text.length;
    }
  }
  return batches;
}
