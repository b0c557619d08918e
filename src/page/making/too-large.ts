/** Says how much a service takes at once, and how much there is, from what it said when it refused. */
export function tooLargeWords(detail: string | undefined, characters: number): string {
  const most = detail === undefined ? undefined : /(\d{4,}) bytes/.exec(detail)?.[1];
  const takes = most === undefined ? '' : `This service takes at most ${megabytes(Number(most))} at once; `;
  const has = `there are about ${megabytes(characters)} of text.`;
  const sentence = `${takes}${has}`;
  return `${sentence[0].toUpperCase()}${sentence.slice(1)} Remove some, or make several digests.`;
}

function megabytes(bytes: number): string {
  const millions = bytes / 1_000_000;
  return `${millions < 10 ? Math.max(0.1, Math.round(millions * 10) / 10) : Math.round(millions)} MB`;
}
