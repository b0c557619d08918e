import { type Claim, type Finding, type Passage, textsOf } from './claim.ts';
import { type NameSource, nameSource, namesOutside } from './names.ts';
import { type NumberSource, numberSource, numbersOutside } from './numbers.ts';

/**
 * The claims that a judge accepted though a number or a name in them stands nowhere in their passages, by their places, with these
 * words to look at: no proof that they are wrong, a reason to judge them once more, and what is found then counts (docs/support.md).
 */
export function doubtfulOf(claims: readonly Claim[], found: readonly Finding[]): ReadonlyMap<number, Claim> {
  const read = sourcesOf();
  return new Map(
    claims.flatMap((claim, c) => {
      const doubted = found[c].supported ? alarmsOf(claim, read) : [];
      return doubted.length === 0 ? [] : [[c, { ...claim, doubted }]];
    }),
  );
}

/** Numbers and names of a claim that stand nowhere in its passages. */
export function alarmsOf({ text, passages }: Claim, read = sourcesOf()): string[] {
  const sources = passages.map(read);
  return [
    ...new Set([
      ...numbersOutside(
        text,
        sources.map(({ numbers }) => numbers),
      ),
      ...namesOutside(
        text,
        sources.map(({ names }) => names),
      ),
    ]),
  ];
}

/** Reads each passage once, however many claims cite it. */
function sourcesOf(): (passage: Passage) => Source {
  const known = new Map<Passage, Source>();
  return (passage) => {
    const source = known.get(passage) ?? readPassage(passage);
    known.set(passage, source);
    return source;
  };
}

interface Source {
  readonly numbers: NumberSource;
  readonly names: NameSource;
}

function readPassage(passage: Passage): Source {
  const texts = textsOf(passage);
  return { numbers: numberSource(texts), names: nameSource(texts) };
}
