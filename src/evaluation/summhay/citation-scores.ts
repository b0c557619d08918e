/** All in 0 to 100. */
export interface CitationScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Compares what a bullet cites with the documents that tell its insight (Laban et al. 2024, section 2.3).
 *
 * @param cited each once; without any, all three are 0
 * @param told each once, at least one
 */
export function citationScores(cited: readonly string[], told: ReadonlySet<string>): CitationScores {
  const right = cited.filter((document) => told.has(document)).length;
  return {
    precision: cited.length === 0 ? 0 : (100 * right) / cited.length,
    recall: (100 * right) / told.size,
    f1: (200 * right) / (cited.length + told.size),
  };
}
