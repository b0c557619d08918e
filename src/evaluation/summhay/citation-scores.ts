/** All in 0 to 100. */
export interface CitationScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Compares what a bullet cites with the documents that tell its insight (Laban et al. 2024, section 4.1).
 *
 * @param cited each once; without any, all three are 0
 * @param expected each once, at least one
 */
export function citationScores(cited: readonly string[], expected: ReadonlySet<string>): CitationScores {
  const right = cited.filter((document) => expected.has(document)).length;
  return {
    precision: cited.length === 0 ? 0 : (100 * right) / cited.length,
    recall: (100 * right) / expected.size,
    f1: (200 * right) / (cited.length + expected.size),
  };
}
