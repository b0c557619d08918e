import { chooseMatrixProduct } from '../../src/models/index.node.ts';
import { type MatrixProduct, quantizeRows } from '../../src/models/index.ts';
import {
  bertScores,
  OWN_DEFAULTS,
  type SelectionInput,
  type SelectionOptions,
  select,
  type TokenMatrix,
  tokenWeights,
} from '../../src/selection/index.ts';
import { seeded } from '../selection/kernel/random.ts';
import { medianTime } from './median.ts';

const TOKENS = 24;
const DIMENSIONS = 384;
const PICKS = 40;
/** Points compared at a time, about as BERTScore does. */
const PART = 1024;

/** Greedy MAP over BERTScore rows on demand: sigma 1, everything else that reads more than the picked rows off. */
const OPTIONS: SelectionOptions = {
  strategy: 'dpp-map',
  size: { keyPoints: PICKS },
  seed: 1,
  kernel: { similarity: 'bertscore', form: 'gaussian', sigma: 1, idf: 2 },
  relevance: { form: 'exponential', weight: 0.5 },
  salience: { weight: 0, threshold: 0 },
  coverage: { weight: 0, threshold: 0 },
  sources: { weight: 0 },
  support: { threshold: null, paraphrase: 1, unlike: -1, same: -1 },
  background: { weight: 0 },
  ...OWN_DEFAULTS,
  exact: { nodes: 1, milliseconds: null },
  refine: false,
};

export interface RowsOnDemandFigures {
  readonly ms: number;
  /** Of the matrix products alone. */
  readonly productMs: number;
  /** Peak memory above that of the process before there were token vectors, in units of them. */
  readonly memory: number;
}

/** Selects 40 of n points of 24 tokens. */
export async function rowsOnDemand(n: number, runs: number): Promise<RowsOnDemandFigures> {
  const product = await chooseMatrixProduct('onnxruntime');
  await selectFrom(randomTokens(50), product);
  const before = process.memoryUsage().rss;
  const items = randomTokens(n);
  const ms = await medianTime(() => selectFrom(items, product), runs);
  const peak = process.resourceUsage().maxRSS * 1024;
  const productMs = await medianTime(() => bareProducts(items, product), runs);
  return { ms, productMs, memory: (peak - before) / items.tokens.byteLength };
}

/** As many products of one point's tokens with everyone's as there are picks, and nothing else. */
async function bareProducts({ n, tokens, dimensions }: TokenMatrix, product: MatrixProduct): Promise<void> {
  const rowsOf = (from: number, to: number) => ({
    values: new Uint8Array(tokens.buffer, from * TOKENS * dimensions, (to - from) * TOKENS * dimensions),
    scales: new Float32Array((to - from) * TOKENS),
    perItem: TOKENS,
  });
  for (let pick = 0; pick < PICKS; pick++) {
    const matchesOf = product.prepareMatches(rowsOf(0, 1), dimensions);
    for (let from = 0; from < n; from += PART) await matchesOf(rowsOf(from, Math.min(n, from + PART)));
  }
}

async function selectFrom(items: TokenMatrix, product: MatrixProduct): Promise<void> {
  const { n } = items;
  const random = seeded(n);
  const input: SelectionInput = {
    similarity: bertScores(items, [tokenWeights(items, OPTIONS.kernel.idf)], product)[0],
    kernel: null,
    vectors: null,
    plain: null,
    wording: null,
    cosine: null,
    context: null,
    relevance: Float64Array.from({ length: n }, () => random.next()),
    documents: Int32Array.from({ length: n }, (_, i) => i % 100),
    words: new Int32Array(n).fill(TOKENS),
    hashes: Array.from({ length: n }, (_, i) => String(i)),
    factors: new Float64Array(n).fill(1),
    known: null,
    auto: { points: null, words: null },
    eligible: null,
    room: null,
  };
  const { picks } = await select(input, OPTIONS, product);
  if (picks.length !== PICKS) throw new Error(`${picks.length} picks`);
}

/** Tokens of 40 subjects with noise. */
function randomTokens(n: number): TokenMatrix {
  const random = seeded(DIMENSIONS);
  const subjects = Array.from({ length: 40 }, () =>
    Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5),
  );
  const vectors = new Float32Array(n * TOKENS * DIMENSIONS);
  for (let t = 0; t < n * TOKENS; t++) {
    const subject = subjects[Math.floor(t / TOKENS) % subjects.length];
    for (let c = 0; c < DIMENSIONS; c++) vectors[t * DIMENSIONS + c] = subject[c] + random.next() - 0.5;
  }
  return {
    n,
    dimensions: DIMENSIONS,
    tokens: quantizeRows(vectors, n * TOKENS, DIMENSIONS),
    tokenIds: Int32Array.from({ length: n * TOKENS }, () => random.below(5000)),
    offsets: Int32Array.from({ length: n + 1 }, (_, i) => i * TOKENS),
  };
}
