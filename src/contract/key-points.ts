import type { DigestDocument, DigestKeyPoint, DigestUsage, StageRecord } from './digest.ts';
import type { DigestRequest, EngineRequest, StageName } from './digest-request.ts';
export type KeyPoint = Pick<DigestKeyPoint, 'id' | 'document' | 'text' | 'speaker' | 'quote' | 'moreQuotes'> & {
  /** Null where the document does not hold the quote. */
  readonly selfContained: number | null;
};

/** The answer to a request for extraction alone. */
export interface KeyPoints {
  readonly keyPoints: readonly KeyPoint[];
  readonly documents: readonly DigestDocument[];
  readonly engine: {
    readonly extractor: string;
    readonly models: Readonly<Partial<Record<StageName, StageRecord>>>;
  };
  readonly prompts: Readonly<Record<string, string>>;
  readonly usage: Omit<DigestUsage, 'reusedEncodings'>;
  readonly offsetUnit: 'utf16';
}

/** A request for extraction alone. */
export interface KeyPointsRequest extends Pick<DigestRequest, 'documents'> {
  readonly engine?: Pick<EngineRequest, 'extractor' | 'model' | 'stages' | 'extraction'> | undefined;
}
