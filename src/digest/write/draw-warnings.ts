import type { KernelFacts } from '../../selection/index.ts';

/** Says where the paper's quality max(r, 0.001) makes draws small because relevance is low, not because little is different. */
export function drawWarnings({ expectedSize, shrunkFrom }: KernelFacts, points: number): string[] {
  if (expectedSize === null || shrunkFrom === null) return [];
  const [size, without] = [expectedSize, shrunkFrom].map((each) => each.toFixed(1));
  return [
    `Low relevance makes the draw small: ${size} of ${points} key points are expected, ${without} without relevance, because "score" takes relevance as the quality as it stands. With the relevance form "exponential" only its differences count.`,
  ];
}
