import { complementDistance, euclideanDistance, gaussian, medianSigma } from '../kernel/gaussian.ts';
import { type Reference, readRows } from '../kernel/reference.ts';
import type { Similarity } from '../kernel/similarity.ts';
import type { SelectionOptions } from './options.ts';
import { rowsOnDemand } from './rows-on-demand.ts';

export interface KernelRows {
  /** Row i of K. */
  readonly kernelRow: (i: number) => Promise<Float64Array>;
  /** The width that was used; null for a linear kernel. */
  readonly sigma: number | null;
}

/**
 * K over S, and, as far as the surroundings count, times a Gaussian of how far apart the surroundings are: in a transcript
 * two points from one stretch are more of the same than their words say.
 *
 * @param rows rows of S
 * @param context null where the surroundings do not count
 */
export async function kernelRows(
  reference: Reference,
  rows: (i: number) => Promise<Float32Array>,
  context: { readonly similarity: Similarity; readonly share: number } | null,
  { similarity, form, sigma }: SelectionOptions['kernel'],
): Promise<KernelRows> {
  const distance = similarity === 'cosine' ? euclideanDistance : complementDistance;
  const width = sigma === 'median' ? medianSigma(reference, distance) : sigma;
  const ofSimilarity = form === 'gaussian' ? gaussian(distance, width) : (s: number) => s;
  const sameStretch = context === null || context.share === 0 ? null : await stretchRows(context, reference);
  return {
    sigma: form === 'gaussian' ? width : null,
    async kernelRow(i) {
      const similarities = await rows(i);
      const row = Float64Array.from(similarities, ofSimilarity);
      if (sameStretch !== null)
        (await sameStretch(i)).forEach((factor, j) => {
          if (similarities[j] < 1) row[j] *= factor; // the same words are the same wherever they stand
        });
      return row;
    },
  };
}

async function stretchRows(
  { similarity, share }: { readonly similarity: Similarity; readonly share: number },
  reference: Reference,
): Promise<(i: number) => Promise<Float32Array>> {
  const contexts = await readRows(similarity, reference);
  const rows = rowsOnDemand(similarity, contexts);
  const alike = gaussian(complementDistance, medianSigma(contexts, complementDistance));
  return async (i) => (await rows(i)).map((s) => alike(s) ** share);
}
