import { Piscina } from 'piscina';
import { encodeQueries } from '../../models/encoders/encode-queries.ts';
import type { Encoder, Encoding } from '../../models/encoders/encoder.ts';
import { entailmentModel, type LocalEntailment } from '../../models/encoders/entailment.node.ts';
import type { EntailmentModel, EntailmentQuestion } from '../../models/encoders/entailment-model.ts';
import { shippedReader } from '../../models/encoders/sentence-reader.node.ts';
import type { Passage, SentenceReader } from '../../models/encoders/sentence-reader.ts';
import { type LocalModel, transformersEncoder } from '../../models/encoders/transformers.node.ts';
import { chooseMatrixProduct } from '../../models/linear-algebra/choose-matrix-product.node.ts';
import type { MatrixProduct } from '../../models/linear-algebra/matrix-product.ts';
import { type Projection, principalComponents } from '../../selection/kernel/principal-components.ts';
import type { RecallTask } from '../../selection/kernel/window-recall.ts';
import type { SelectionOptions } from '../../selection/strategies/options.ts';
import type { Draws, Selection } from '../../selection/strategies/select.ts';
import type { Extraction } from '../engine.ts';
import { extractText, recallAll } from '../portable-engine.ts';
import { type Ranking, type RankingTask, runRanking } from '../rank/ranking-task.ts';
import { type HeldCall, HOLDING, heldSelections } from '../select/held-selections.ts';
import {
  type FamiliarityTask,
  runDraws,
  runFamiliarity,
  runSelection,
  type SelectionTask,
} from '../select/selection-task.ts';
import { type CancelFlag, cancellable, throwIfRaised } from './cancellable.ts';
import { type Settled, settle } from './settled.ts';

/** What every thread is started with. */
export interface ThreadData {
  readonly matrix: MatrixProduct['name'];
}

const { matrix } = Piscina.workerData as ThreadData;
const encoders = new Map<string, Promise<Encoder>>();
const verifiers = new Map<string, Promise<EntailmentModel>>();
const held = heldSelections(HOLDING);
let product: Promise<MatrixProduct> | undefined;
let reader: Promise<SentenceReader> | undefined;

export function extract(text: string): Extraction {
  return extractText(text);
}

interface EncodeCall {
  readonly model: LocalModel;
  readonly texts: readonly string[];
  /** Whether the texts are questions. */
  readonly asQueries?: boolean;
}

export async function encode({ model, texts, asQueries }: EncodeCall): Promise<Encoding[]> {
  const key = JSON.stringify(model);
  const loading = encoders.get(key) ?? transformersEncoder(model);
  encoders.set(key, loading);
  const loaded = await loading;
  return asQueries ? encodeQueries(loaded, texts) : loaded.encode(texts);
}

interface EntailCall {
  readonly local: LocalEntailment;
  readonly question: EntailmentQuestion;
}

export async function entail({ local, question }: EntailCall): Promise<Float64Array> {
  const key = JSON.stringify(local);
  const loading = verifiers.get(key) ?? entailmentModel(local);
  verifiers.set(key, loading);
  return (await loading).entailment([question]);
}

interface ReadCall {
  readonly question: string;
  readonly passages: readonly Passage[];
}

export async function read({ question, passages }: ReadCall): Promise<Float64Array[]> {
  reader ??= shippedReader();
  return (await reader).read(question, passages);
}

export function rank(task: RankingTask): Ranking {
  return runRanking(task);
}

interface SelectionCall {
  readonly task: SelectionTask;
  readonly options: SelectionOptions;
  /** Raised where nobody waits for the selection any more. */
  readonly cancel?: CancelFlag | null;
}

export async function select({ task, options, cancel }: SelectionCall): Promise<Settled<Selection>> {
  return settle(async () => {
    throwIfRaised(cancel);
    return runSelection(task, options, cancellable(await products(), cancel));
  });
}

/** Null where the statements are neither held by this thread nor given. */
export async function selectHeld({
  call,
  cancel,
}: {
  readonly call: HeldCall;
  readonly cancel: CancelFlag | null;
}): Promise<Settled<Selection | null>> {
  return settle(async () => {
    throwIfRaised(cancel);
    return held.select(call, cancellable(await products(), cancel));
  });
}

export async function draw({ task, options, count }: SelectionCall & { count: number }): Promise<Settled<Draws>> {
  return settle(async () => runDraws(task, options, await products(), count));
}

export async function familiarity(task: FamiliarityTask): Promise<Float64Array> {
  return runFamiliarity(task, await products());
}

export async function recall(tasks: readonly RecallTask[]): Promise<Float64Array[]> {
  return recallAll(tasks, await products());
}

interface ProjectCall {
  readonly vectors: readonly Float32Array[];
  readonly dimensions: number;
}

export function project({ vectors, dimensions }: ProjectCall): Projection {
  return principalComponents(vectors, dimensions);
}

function products(): Promise<MatrixProduct> {
  product ??= chooseMatrixProduct(matrix);
  return product;
}
