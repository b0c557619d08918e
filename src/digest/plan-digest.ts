import { type EngineRequest, STAGE_NAMES } from '../contract/index.ts';
import type { Prompt, StageModel } from '../models/index.ts';
import { entailmentJudge, modelJudge, type Verifier } from '../summary/index.ts';
import type { DigestDeps } from './digest-deps.ts';
import { type Extractor, modelExtractor, sentenceExtractor } from './extract/extractor.ts';
import { type ModelStages, modelStages } from './model-stages.ts';
import { type ResolvedOptions, resolveOptions } from './options.ts';
import { type Query, queryOf } from './rank/intent.ts';
import type { ResolvedRequest } from './resolved-request.ts';
import { knownVerifier } from './select/known-encoder.ts';
import { UnusableOptionError } from './unusable-option-error.ts';

/** A model with the prompts that one thing asks it by. */
export interface Asking<Name extends string> {
  readonly model: StageModel;
  readonly prompts: Readonly<Record<Name, Prompt>>;
}

/** A request with everything decided that can be before a document is read. */
export interface DigestPlan {
  readonly request: ResolvedRequest;
  readonly options: ResolvedOptions;
  readonly query: Query;
  readonly stages: ModelStages;
  /** Aborted where nobody waits for the digest any more. */
  readonly signal: AbortSignal | undefined;
  readonly extractor: Extractor;
  /** Whether a language model is asked for anything, which takes as long as it takes. */
  readonly asksModel: boolean;
  /** Null where points stand in their own wording. */
  readonly writer: Asking<'write' | 'again'> | null;
  /** Holds what a model worded against its quotes. */
  readonly verifier: Verifier;
  /** What that is: one of `VERIFY_MODES`, or the id of an entailment model; null where no language model words anything. */
  readonly verifiedBy: string | null;
  /** Null where the strategy is no model's choice. */
  readonly chooser: Asking<'select'> | null;
  /** Null where the intent is parted by rules, or not at all. */
  readonly parter: Asking<'facets'> | null;
  /** Grades the points for relevance; null where an encoder's relevance stands. */
  readonly grader: Asking<'grade'> | null;
  /** Puts the intent into the documents' language; null where no language model is in use. */
  readonly translator: (() => Asking<'facets'>) | null;
  /** Null where the digest is not made by one prompt over the documents. */
  readonly naive: Asking<'naive'> | null;
}

/**
 * Decides how a digest is made.
 *
 * @param signal ends the calls of language models, where nobody waits for the digest any more
 * @throws TesseraError where the request cannot be served as it stands
 */
export function planDigest(request: ResolvedRequest, deps: DigestDeps, signal?: AbortSignal): DigestPlan {
  const { engine, models } = deps;
  const asked = request.engine ?? {};
  const stages = modelStages(models, asked, signal);
  const isNaive = request.selection?.strategy === 'naive';
  const isWritten = (asked.writer ?? models.writer) === 'llm' && !isNaive;
  const resolved = resolveOptions(request, engine);
  const options = metered(forModel(isWritten || resolved.graded, request, resolved), stages.spend);
  const query = queryOf(request, options.facets === true);
  const { strategy } = options;
  const wantsModel = (asked.extractor ?? models.extractor) === 'llm' && !isNaive;
  if (asked.extraction !== undefined && !wantsModel) {
    throw new UnusableOptionError('/engine/extraction', 'This needs the extractor "llm".');
  }
  const select = () => stages.model('select', '/selection/strategy');
  const isParted = options.facets === 'llm' && query.text !== null;
  const isGraded = options.graded && query.text !== null;
  const isWorded = wantsModel || isWritten || isNaive;
  const isModels = isWorded || isGraded || strategy === 'llm';
  const asksModel = isModels || isParted;
  const { verifier, verifiedBy } = verifierOf(asked.verify ?? 'llm', stages, deps);
  return {
    request,
    options,
    query,
    stages,
    signal,
    asksModel,
    extractor: wantsModel
      ? modelExtractor(engine, stages, asked.extraction ?? {}, query.text)
      : sentenceExtractor(engine),
    writer: isWritten
      ? {
          model: stages.model('write', '/engine/writer'),
          prompts: { write: stages.prompt('write', 'write'), again: stages.prompt('write', 'write-again') },
        }
      : null,
    verifier,
    verifiedBy: isWorded ? verifiedBy : null,
    chooser: strategy === 'llm' ? { model: select(), prompts: { select: stages.prompt('select', 'select') } } : null,
    parter: isParted
      ? {
          model: stages.model('select', '/selection/relevance/facets'),
          prompts: { facets: stages.prompt('select', 'facets') },
        }
      : null,
    grader: isGraded
      ? {
          model: stages.model('select', '/selection/relevance/encoder'),
          prompts: { grade: stages.prompt('select', 'grade') },
        }
      : null,
    translator: isModels
      ? () => ({ model: select(), prompts: { facets: stages.prompt('select', 'facets', 'translate') } })
      : null,
    naive: isNaive
      ? { model: stages.model('write', '/selection/strategy'), prompts: { naive: stages.prompt('write', 'naive') } }
      : null,
  };
}

/** The plan of a request that differs from the planned one in its documents and its experiment alone, which decide nothing of it. */
export function planWith(plan: DigestPlan, request: ResolvedRequest): DigestPlan {
  return { ...plan, request };
}

/** How little relevance lets a point through where a model decides what helps: what answers may not look like it. */
const MODEL_GATE = 0.05;
/** So many points a model can be shown: it tells better than any gate which of them answer. */
const MODEL_UNGATED = 200;

/** The options with the gate that a model is served by, where the request names none. */
function forModel(isModels: boolean, { selection }: ResolvedRequest, options: ResolvedOptions): ResolvedOptions {
  if (!isModels || options.preset !== 'default' || selection?.relevance?.gate !== undefined) return options;
  return { ...options, gate: MODEL_GATE, ungated: MODEL_UNGATED };
}

/** Who holds what a model worded against its quotes: the model itself, unless the request says otherwise. */
function verifierOf(
  name: string,
  stages: ModelStages,
  { engine, cache }: DigestDeps,
): { verifier: Verifier; verifiedBy: string } {
  if (name === 'rules' || name === 'off') return { verifier: { mode: name }, verifiedBy: name };
  if (name !== 'llm') {
    const model = knownVerifier(engine, name, '/engine/verify');
    return { verifier: { mode: 'judge', judge: entailmentJudge(model) }, verifiedBy: model.id };
  }
  const judge = modelJudge(
    () => stages.model('judge', '/engine/verify'),
    () => stages.prompt('judge', 'judge'),
    cache,
  );
  return { verifier: { mode: 'judge', judge }, verifiedBy: 'llm' };
}

/** The options with encoders that tell what they take. */
function metered(options: ResolvedOptions, spend: ModelStages['spend']): ResolvedOptions {
  const { kernelEncoder, relevanceEncoder } = options;
  const kernel = kernelEncoder.metered?.(spend) ?? kernelEncoder;
  const isSame = relevanceEncoder === kernelEncoder;
  const relevance = isSame ? kernel : (relevanceEncoder.metered?.(spend) ?? relevanceEncoder);
  return { ...options, kernelEncoder: kernel, relevanceEncoder: relevance };
}

/** Says which settings of the request no stage used. */
export function unusedStages(asked: EngineRequest | undefined, stages: ModelStages): string[] {
  const used = stages.records();
  const unused = STAGE_NAMES.filter((stage) => asked?.stages?.[stage] !== undefined && used[stage] === undefined);
  return unused.map((stage) => `The settings of the stage "${stage}" were not used: it made no language model call.`);
}
