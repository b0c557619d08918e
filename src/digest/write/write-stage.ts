import type { SummarySentence } from '../../contract/index.ts';
import { type Frame, modelWriter, type OnSentence } from '../../summary/index.ts';
import type { DigestContext } from '../digest-context.ts';
import { checkerOver, type EncodedPoints } from '../extract/extract-and-encode.ts';
import { encodedText } from '../extract/points.ts';
import type { ResolvedOptions } from '../options.ts';
import type { Query } from '../rank/intent.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import type { Selected } from '../select/select-stage.ts';
import { selectedPoints } from '../select/selected-points.ts';
import type { NaivePipeline } from './naive-pipeline.ts';
import { readerOf } from './reader.ts';
import { type Written, writeSummary } from './write-summary.ts';

/**
 * Writes the summary, and tells of every sentence once, whether it was written now or by an attempt before.
 *
 * @param given names the points
 */
export async function writeStage(
  { plan, deps: { cache }, steps, clock }: DigestContext,
  { read: { documents }, points }: EncodedPoints,
  { kept, selection, options: { size }, held, unjudged, feedsWriter }: Selected,
  {
    query,
    ranking,
    frame,
    naive,
    given,
  }: { query: Query; ranking: Ranking; frame: Frame; naive: NaivePipeline | null; given: string },
  onSentence: OnSentence | undefined,
): Promise<Written> {
  const { format, kernelEncoder, auto } = plan.options;
  // Of points that it chooses from a writer would tell all, were it not bound.
  const maxWords = plan.options.maxWords ?? (feedsWriter ? auto.words : null);
  const stream = sentenceStream(onSentence);
  const reader = readerOf(plan.request, query);
  const isStreamed = onSentence !== undefined;
  // The very texts whose vectors are there.
  const checker = () =>
    checkerOver(
      evenly(kept, MAX_REFERENCES).map((i) => encodedText(points[i])),
      kernelEncoder,
      cache,
    );
  const selected = await clock.time('write', () =>
    selectedPoints({
      selection,
      kept,
      points,
      documents,
      ranking,
      intent: frame.intent,
      encoder: kernelEncoder,
      isWorded: plan.extractor.isModel,
      held,
      feedsWriter,
      checker,
    }),
  );
  const byModel = plan.writer && {
    name: 'llm',
    writer: modelWriter({
      ...plan.writer,
      reader,
      format,
      maxWords,
      isCounted: format === 'bullets' && typeof size === 'object' && size !== null && 'keyPoints' in size,
      fillsContext: plan.options.preset === 'published',
      isStreamed,
    }),
  };
  // By id, not by text: the texts of many documents take milliseconds to hash on the thread that serves HTTP.
  const dependencies = [
    given,
    [query.facets, query.language, frame.intent?.facets, frame.known, maxWords, unjudged],
    selected.map(({ id, verification, text, supports, related, helps }) => [
      id,
      verification && [verification, text],
      supports.map(({ keyPoint }) => keyPoint),
      related,
      helps,
    ]),
  ];
  const written = await clock.time('write', () =>
    steps.step('write', dependencies, () =>
      writeSummary(
        { ...frame, points: selected, similarity: selection.pickedSimilarity, maxWords },
        {
          writer: naive?.writer(points) ?? byModel,
          verifier: plan.verifier,
          unjudged,
          keepsDraft: isPublishedArm(plan.options),
          onSentence: stream.onSentence,
        },
      ),
    ),
  );
  stream.rest(written.summary.sentences);
  return written;
}

/** Whether a digest is made as one of the paper's arms, which are compared by what the model wrote. */
function isPublishedArm({ preset, strategy }: ResolvedOptions): boolean {
  return preset === 'published' || strategy === 'all' || strategy === 'llm' || strategy === 'naive';
}

/** Texts that word weights are taken over at most. */
const MAX_REFERENCES = 1000;

/** At most so many of a list, evenly spread. */
function evenly<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.ceil(list.length / most);
  return step <= 1 ? list : list.filter((_, i) => i % step === 0);
}

/** Counts the sentences that were told, so that those of a summary that an attempt before wrote are told as well. */
function sentenceStream(onSentence: OnSentence | undefined) {
  let emitted = 0;
  const notify: OnSentence | undefined =
    onSentence &&
    ((sentence) => {
      emitted++;
      onSentence(sentence);
    });
  return {
    onSentence: notify,
    rest(sentences: readonly SummarySentence[]) {
      for (const sentence of sentences.slice(emitted)) onSentence?.(sentence);
    },
  };
}
