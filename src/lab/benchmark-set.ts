import type { Insight, Nugget, SourceQuestion } from '../evaluation/index.ts';
import type { ModelSettings } from '../models/index.ts';
import type { SourceDocument, Span } from '../text/index.ts';

/** Documents, what readers want to know of them, and what their digests should then tell: made here, or by people. */
export interface BenchmarkSet {
  readonly name: string;
  readonly collections: readonly Collection[];
  readonly cases: readonly BenchmarkCase[];
  /** How it came about, the first step first; a set of published files begins with `load`. */
  readonly made: readonly Making[];
}

/** Documents that are digested together. */
export interface Collection {
  readonly id: string;
  /** What all of them are about, in a few words. */
  readonly topic?: string | undefined;
  readonly documents: readonly SourceDocument[];
  /** What the documents answer, whoever reads them. */
  readonly questions?: readonly BenchmarkQuestion[] | undefined;
}

/** One thing to digest, and what its digest is scored against: whatever of it is known. */
export interface BenchmarkCase {
  readonly id: string;
  /** Id of the collection that it asks. */
  readonly collection: string;
  /** What the reader wants to know; absent where the reader wants to know what there is. */
  readonly intent?: string | undefined;
  readonly domain?: string | undefined;
  readonly questionKind?: string | undefined;
  /** SummHay. */
  readonly insights?: readonly Insight[] | undefined;
  /** Source coverage. */
  readonly questions?: readonly BenchmarkQuestion[] | undefined;
  /** Key point recall. */
  readonly keyPoints?: readonly ReferenceKeyPoint[] | undefined;
  /** ARGUE. */
  readonly nuggets?: readonly Nugget[] | undefined;
  /** Where in the documents people, or whoever made them, know to stand what is wanted. */
  readonly passages?: readonly LabelledPassage[] | undefined;
  /** A summary that a person wrote. */
  readonly reference?: string | undefined;
}

/** A factual question with the answer of the document that it was made from. */
export interface BenchmarkQuestion extends SourceQuestion {
  /** Place of that document in the collection, from 0. */
  readonly position: number;
  /** Whether the intent of the case asks for it; absent where there is none. */
  readonly relevant?: boolean | undefined;
}

interface ReferenceKeyPoint {
  readonly text: string;
  /** The words of documents that state it. */
  readonly spans?: readonly PassageSpan[] | undefined;
  /** Probability that it helps to answer the question; absent where nothing was filtered. */
  readonly usefulness?: number | undefined;
}

/** A stretch of a document, in UTF-16 code units. */
export interface PassageSpan extends Span {
  /** Id of the document. */
  readonly document: string;
}

export interface LabelledPassage extends PassageSpan {
  /** Ids of the insights of the case that it tells; absent where it is only known to matter. */
  readonly insights?: readonly string[] | undefined;
}

/** One step of the making of a set: enough to make it again. The same whether the step ran through or was resumed. */
export interface Making {
  /** Name of the command: `questions`, say. */
  readonly step: string;
  /** Of the rules of this step. */
  readonly version: number;
  readonly seed: number;
  /** What was asked; null where no language model was. */
  readonly model: ModelSettings | null;
  /** Hashes of the prompts used, by id. */
  readonly prompts: Readonly<Record<string, string>>;
  /** What else decides what comes out, by the name of its flag. */
  readonly options: Readonly<Record<string, string | number | boolean | null>>;
  /** What came out, what was dropped and why: `calls`, `malformed`, `askedAgain` and the step's own. */
  readonly counts: Readonly<Record<string, number>>;
}
