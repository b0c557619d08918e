import type { ExtractionRequest } from '../../contract/index.ts';
import { contentHash, SENTENCE_EXTRACTOR_ID, type UnverifiedKeyPoint } from '../../text/index.ts';
import type { Engine, Extraction } from '../engine.ts';
import type { ModelStages } from '../model-stages.ts';
import { UnusableOptionError } from '../unusable-option-error.ts';
import { extractWithModel, MODEL_EXTRACTOR_VERSION } from './extract-with-model.ts';
import { aboutText, type TitledText } from './shown-document.ts';

/** What came of one text. */
export interface ExtractionOutcome extends Extraction {
  readonly unverified: readonly UnverifiedKeyPoint[];
  /** Why a part of it could not be read; null where all was. Such an extraction is not kept. */
  readonly unreadReason: string | null;
}

/** Reduces texts to key points, one way or another. */
export interface Extractor {
  /** Names the way, with everything that a result depends on beside the document: part of key point ids. */
  readonly id: string;
  /** The id, with what a result depends on of a document beside its text: under this and the text's hash it is kept. */
  keyOf(document: TitledText): string;
  /** Whether a language model words what it extracts. */
  readonly isModel: boolean;
  /** Texts of one caller that are read at once. */
  readonly atOnce: number;
  /** Texts whose results are written together: what took long is written at once, so that it is not lost with what fails. */
  readonly keptTogether: number;
  /** @throws where nothing could be read */
  extract(document: TitledText): Promise<ExtractionOutcome>;
}

/** The extractor without a model. */
export function sentenceExtractor(engine: Engine): Extractor {
  return {
    id: SENTENCE_EXTRACTOR_ID,
    keyOf: () => SENTENCE_EXTRACTOR_ID,
    isModel: false,
    atOnce: 4, // those of others come in between on the threads
    keptTogether: 16,
    extract: async ({ text }) => ({ ...(await engine.extract(text)), unverified: [], unreadReason: null }),
  };
}

/** Rounds over each part of a document where a request does not say. */
const DEFAULT_ROUNDS = 2;

/**
 * The extractor that asks a language model.
 *
 * @param question what is asked, where the request wants only what helps to answer it
 * @throws UnusableOptionError where no model or prompt is there for it
 */
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
    atOnce: Number.POSITIVE_INFINITY, // the endpoint has a bound of its own
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

/** Of a text that does state something. */
const BARREN = "None of the language model's key points has a quote from the document.";

function missingText(failed: number, windows: number, why: string): string {
  const calls = failed === 1 ? 'One call' : `${failed} calls`;
  return `${calls} over its ${windows === 1 ? 'text' : `${windows} parts`} failed; key points may be missing: ${why}`;
}
