import type { WorkCache } from '../models/index.ts';
import type { Engine } from './engine.ts';
import type { ModelDeps } from './model-deps.ts';

/** What the making of a digest needs. */
export interface DigestDeps {
  readonly cache: WorkCache;
  readonly engine: Engine;
  readonly models: ModelDeps;
  /** Key points of all documents of a digest; any number by default. */
  readonly maxPoints?: number;
  /** Told of a failure that one document or one step absorbs, with where it was; never with text of a document. */
  readonly reportFailure: (failure: unknown, where: { readonly stage: string; readonly document: string }) => void;
}
