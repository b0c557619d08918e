import { BYTES_PER_TOKEN, type Prompt, type StageModel } from '../models/index.ts';
import { modelJudge, type Verifier } from '../summary/index.ts';
import { contentHash } from '../text/index.ts';
import { UnusableOptionError } from './errors.ts';
import { modelExtractor, sentenceExtractor } from './extract/extractor.ts';
import { type ModelStages, modelStages } from './model-stages.ts';
import { type ResolvedOptions, resolveOptions } from './options.ts';
import { queryOf } from './rank/query.ts';
import type { PlannedRequest } from './request.ts';
import type { DigestDeps } from './run.ts';

export interface Asking<Name extends string> {
  readonly model: StageModel;
  readonly prompts: Readonly<Record<Name, Prompt>>;
}

export type Plan = ReturnType<typeof planDigest>;

/** @throws TesseraError if the request cannot be served */
export function planDigest(request: PlannedRequest, deps: DigestDeps, signal?: AbortSignal) {
  const { engine, models } = deps;
  const asked = request.engine ?? {};
  const stages = modelStages(models, asked, signal);
  const isNaive = request.selection?.strategy === 'naive';
  const isWritten = (asked.writer ?? models.writer) === 'llm' && !isNaive;
  const given = optionsFor(request, deps, stages, isWritten);
  const query = queryOf(request, given.facets === true);
  const writer = isWritten ? stages.model('write', '/engine/writer') : null;
  const isPublished = isPublishedArm(given);
  const verifiedBy = asked.verify ?? 'llm';
  // Who asks for a writing model alone means one that reads.
  const named = asked.extractor ?? (asked.writer === 'llm' && models.writer !== 'llm' ? 'auto' : models.extractor);
  const extractor = named === 'auto' && asked.extraction !== undefined ? 'llm' : named;
  // By rules only quotes stand, and a published arm works from key points.
  const isAuto = extractor === 'auto' && writer !== null && !isPublished && verifiedBy !== 'rules';
  const budget = asked.budget ?? READING_BUDGET;
  /** Whether the writer reads the documents whole, so that no model need extract key points. */
  const readsWhole = isAuto && request.earlier === undefined && fits(request, writer, budget);
  /** Whether a model reads all sentences with the question in hand, part by part, since the documents do not fit. */
  const readsInParts = isAuto && !readsWhole && query.text !== null;
  const options = readsInParts ? { ...given, ungated: Number.POSITIVE_INFINITY } : given;
  const isExtracted =
    !isNaive && (extractor === 'llm' || (extractor === 'auto' && isWritten && !readsWhole && !readsInParts));
  if (asked.extraction !== undefined && !isExtracted) {
    throw new UnusableOptionError('/engine/extraction', 'This needs the extractor "llm".');
  }
  const isSplit = options.facets === 'llm' && query.text !== null;
  const isGraded = (options.graded || readsInParts) && query.text !== null;
  const isChosen = options.strategy === 'llm';
  const isWorded = isExtracted || isWritten || isNaive;
  const isInUse = isWorded || isGraded || isChosen;
  const selectModel = (pointer: string): StageModel => stages.model('select', pointer);
  const judge = modelJudge(
    () => stages.model('judge', '/engine/verify'),
    () => stages.prompt('judge', 'judge'),
    deps.cache,
  );
  const verifier: Verifier = verifiedBy === 'llm' ? { mode: 'judge', judge } : { mode: verifiedBy };
  // The order decides which missing model or prompt is reported.
  const plan = {
    request,
    options,
    query,
    stages,
    signal,
    asksModel: isInUse || isSplit,
    extractor: isExtracted
      ? modelExtractor(engine, stages, asked.extraction ?? {}, query.text)
      : sentenceExtractor(engine),
    /** Null to keep the wording of the points. */
    writer:
      writer === null
        ? null
        : {
            model: writer,
            prompts: {
              write: stages.prompt('write', 'write'),
              again: stages.prompt('write', 'write-again'),
              edit: readsWhole || readsInParts ? stages.prompt('write', 'edit') : undefined,
            },
          },
    readsWhole,
    readsInParts,
    budget,
    isPublished,
    verifier,
    /** Null without model-written text. */
    verifiedBy: isWorded ? verifiedBy : null,
    chooser: isChosen
      ? { model: selectModel('/selection/strategy'), prompts: { select: stages.prompt('select', 'select') } }
      : null,
    /** Null if rules split the intent, or nothing does. */
    splitter: isSplit
      ? { model: selectModel('/selection/relevance/facets'), prompts: { facets: stages.prompt('select', 'facets') } }
      : null,
    /** Null to keep the relevance of the encoder. */
    grader: isGraded
      ? { model: selectModel('/selection/relevance/encoder'), prompts: { grade: stages.prompt('select', 'grade') } }
      : null,
    /** Translates the intent into the language of the documents; null without a language model. */
    translator: isInUse
      ? () => ({
          model: selectModel('/selection/strategy'),
          prompts: { facets: stages.prompt('select', 'facets', 'translate') },
        })
      : null,
    naive: isNaive
      ? { model: stages.model('write', '/selection/strategy'), prompts: { naive: stages.prompt('write', 'naive') } }
      : null,
  };
  // Only steps after the ranking depend on `selection`; they have what it returns in their keys.
  const { selection: _, kernelEncoder, relevanceEncoder, ...others } = options;
  const encoders = [kernelEncoder, relevanceEncoder].map(({ profile }) => profile.id);
  const used = [plan.extractor.id, stages.records(), stages.hashes(), plan.verifiedBy];
  return { ...plan, key: contentHash(JSON.stringify([others, encoders, used])) };
}

/** The papers' arms are compared by the model's own text. */
function isPublishedArm({ preset, strategy }: ResolvedOptions): boolean {
  return preset === 'published' || strategy === 'all' || strategy === 'llm' || strategy === 'naive';
}

/** Tokens of documents that a model reads for one digest. */
const READING_BUDGET = 1_000_000;
/** Share of the context for whole documents; the numbers before their sentences take nearly as much of a chat. */
const WHOLE_SHARE = 0.5;
/** More sentences are missed by the best, and have more digits than markers are read with. */
const MAX_WHOLE_BYTES = 500_000;

/** Written from and edited with. */
const READINGS = 2;

function fits({ documentBytes }: PlannedRequest, { contextTokens }: StageModel, budget: number): boolean {
  const tokens = Math.min(WHOLE_SHARE * contextTokens, budget / READINGS);
  const most = Math.min(MAX_WHOLE_BYTES, tokens * BYTES_PER_TOKEN);
  return documentBytes !== undefined && documentBytes <= most;
}

/** Relevance threshold if a model judges: an answer may not look relevant to an encoder. */
const MODEL_GATE = 0.05;
/** Skip the gate up to this number of points if a model judges them. */
const MODEL_UNGATED = 200;

function optionsFor(
  request: PlannedRequest,
  { engine }: DigestDeps,
  stages: ModelStages,
  isWritten: boolean,
): ResolvedOptions {
  const options = resolveOptions(request, engine);
  const { kernelEncoder, relevanceEncoder, preset } = options;
  const kernel = kernelEncoder.metered?.(stages) ?? kernelEncoder;
  const isSame = relevanceEncoder === kernelEncoder;
  const relevance = isSame ? kernel : (relevanceEncoder.metered?.(stages) ?? relevanceEncoder);
  const isGateFree = preset === 'default' && request.selection?.relevance?.gate === undefined;
  return {
    ...options,
    kernelEncoder: kernel,
    relevanceEncoder: relevance,
    ...((isWritten || options.graded) && isGateFree && { gate: MODEL_GATE, ungated: MODEL_UNGATED }),
  };
}
