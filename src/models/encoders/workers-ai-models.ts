import { DEFAULT_MODEL, type WorkersAiSpec } from './encoder-specs.ts';

/** What a spec need not say of a model, for it is known. */
type WorkersAiFacts = Pick<WorkersAiSpec, 'dimensions' | 'pooling' | 'maxCharacters' | 'queryPrefix' | 'languages'>;

/**
 * The English bge model of middle size; the others differ in their dimensions. They were trained on the vector of the first
 * token (`cls`), where Workers AI takes the mean of all unless it is asked; they read 512 tokens, which 2,000 characters of
 * English seldom exceed; and questions have an instruction, other texts none (https://huggingface.co/BAAI/bge-base-en-v1.5).
 */
const BASE: WorkersAiFacts = {
  dimensions: 768,
  pooling: 'cls',
  maxCharacters: 2000,
  queryPrefix: 'Represent this sentence for searching relevant passages: ',
  languages: ['eng'],
};

/** Models of Workers AI of which it is known what they take and make. */
export const WORKERS_AI_MODELS: ReadonlyMap<string, WorkersAiFacts> = new Map<string, WorkersAiFacts>([
  ['@cf/baai/bge-small-en-v1.5', { ...BASE, dimensions: 384 }],
  [DEFAULT_MODEL, BASE],
  ['@cf/baai/bge-large-en-v1.5', { ...BASE, dimensions: 1024 }],
  // More than a hundred languages, no instruction, no choice of pooling, 8,192 tokens: a token is seldom less than a character.
  ['@cf/baai/bge-m3', { dimensions: 1024, pooling: null, maxCharacters: 8000, queryPrefix: '', languages: null }],
]);

/** The encoder `workers-ai`, which a Worker with an AI binding has without being told. */
export const DEFAULT_WORKERS_AI: WorkersAiSpec = {
  kind: 'workers-ai',
  model: DEFAULT_MODEL,
  ...BASE,
  textPrefix: '',
  calibration: {},
};
