import type { ExtractionRequest } from '../../contract/index.ts';
import { contentHash, SENTENCE_EXTRACTOR_ID, type UnverifiedKeyPoint } from '../../text/index.ts';
import type { Engine, Extraction } from '../engine.ts';
import { UnusableOptionError } from '../errors.ts';
import type { ModelStages } from '../model-stages.ts';
import { aboutText, extractWithModel, MODEL_EXTRACTOR_VERSION, type TitledText } from './extract-with-model.ts';

export interface ExtractionOutcome extends Extraction {
  readonly unverified: readonly UnverifiedKeyPoint[];
  /** Why a part could not be read; null if complete. An incomplete extraction is not stored. */
  readonly unreadReason: string | null;
}

export interface Extractor {
  readonly id: string;
  /** Cache key with the text's hash: the id, and anything else of the document that the result depends on. */
  keyOf(document: TitledText): string;
  readonly isModel: boolean;
  readonly atOnce: number;
  /** Results per write: expensive ones are stored at once. */
  readonly keptTogether: number;
  /** @throws if nothing could be read */
  extract(document: TitledText): Promise<ExtractionOutcome>;
}

export function sentenceExtractor(engine: Engine): Extractor {
  return {
    id: SENTENCE_EXTRACTOR_ID,
    keyOf: () => SENTENCE_EXTRACTOR_ID,
    isModel: false,
    atOnce: 4,
    keptTogether: 16,
    extract: async ({ text }) => ({ ...(await engine.extract(text)), unverified: [], unreadReason: null }),
  };
}

const DEFAULT_ROUNDS = 2;

/** Extracts all points with a language model, or those that help with `question`. @throws UnusableOptionError if one is missing */
export function modelExtractor(
  engine: Engine,
  stages: ModelStages,
  { rounds = DEFAULT_ROUNDS, conditioned = false }: ExtractionRequest,
  question: string | null,
): Extractor {
  const asked = conditioned ? question : null;
  const model = stages.model('extract', '/engine/extractor');
  const suffix = asked === null ? '' : '-for-question';
  const prompts = {
    first: stages.prompt('extract', 'extract', `extract${suffix}`),
    more: stages.prompt('extract', 'extract-more', `extract-more${suffix}`),
  };
  if (asked !== null && !prompts.first.variables.includes('question')) {
    const problem = `The prompt "${prompts.first.id}" does not ask for what answers a question: name another, or none.`;
    throw new UnusableOptionError('/engine/stages/extract/prompt', problem);
  }
  const { model: name, ...settings } = model.settings;
  const depends = [prompts.first.hash, prompts.more.hash, settings, rounds, model.contextTokens, asked];
  const id = `${MODEL_EXTRACTOR_VERSION}/${name}/${contentHash(JSON.stringify(depends)).slice(0, 16)}`;
  const showsAbout = [prompts.first, prompts.more].some(({ variables }) => variables.includes('about'));
  return {
    id,
    keyOf(document) {
      const about = showsAbout ? aboutText(document) : '';
      return about === '' ? id : `${id}/${contentHash(about).slice(0, 16)}`;
    },
    isModel: true,
    atOnce: Number.POSITIVE_INFINITY, // bounded by the endpoint
    keptTogether: 1,
    async extract(document) {
      const { keyPoints, unverified, windows, failures } = await extractWithModel(document, {
        model,
        prompts,
        rounds,
        question: asked,
      });
      const [failure] = failures;
      if (failure !== undefined && keyPoints.length === 0) throw failure;
      const { language, words, keyPoints: stated } = await engine.extract(document.text);
      const isBarren = keyPoints.length === 0 && stated.length > 0 && asked === null;
      const unreadReason =
        failure !== undefined ? missingText(failures.length, windows, failure.message) : isBarren ? BARREN : null;
      return { keyPoints, unverified, language, words, unreadReason };
    },
  };
}

const BARREN = "None of the language model's key points has a quote from the document.";

function missingText(failed: number, windows: number, why: string): string {
  const calls = failed === 1 ? 'One call' : `${failed} calls`;
  return `${calls} over its ${windows === 1 ? 'text' : `${windows} parts`} failed; key points may be missing: ${why}`;
}
