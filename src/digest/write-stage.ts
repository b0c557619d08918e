import type { Frame } from '../summary/framing.ts';
import type { OnSentence } from '../summary/rewrite/assembly.ts';
import { modelWriter } from '../summary/rewrite/model-writer.ts';
import { checkerOver, type Gathered } from './gather-points.ts';
import type { Query } from './intent.ts';
import { commonLanguage } from './languages.ts';
import type { Making } from './making.ts';
import type { NaivePipeline } from './naive-pipeline.ts';
import { encodedText } from './points.ts';
import type { Ranking } from './ranking-task.ts';
import { readerOf } from './reader.ts';
import type { Selected } from './select-stage.ts';
import { selectedPoints } from './selected-points.ts';
import { toldSentences } from './told-sentences.ts';
import { type Written, writeSummary } from './write-summary.ts';

/** Writes the summary, and tells of every sentence once, whether it was written now or by an attempt before. */
export async function writeStage(
  { plan, parts: { database }, steps, clock }: Making,
  { read: { documents }, points }: Gathered,
  { kept, selection }: Selected,
  { query, ranking, frame, naive }: { query: Query; ranking: Ranking; frame: Frame; naive: NaivePipeline | null },
  onSentence: OnSentence | undefined,
): Promise<Written> {
  const { format, maxWords, kernelEncoder } = plan.options;
  const told = toldSentences(onSentence);
  const reader = readerOf(plan.request, query);
  const isStreamed = onSentence !== undefined;
  const selected = selectedPoints(selection, kept, points, ranking, frame.intent);
  const byModel = plan.writer && {
    name: 'llm',
    writer: modelWriter({ ...plan.writer, reader, format, maxWords, isStreamed }),
  };
  const written = await clock.time('write', () =>
    steps.step('write', [reader, frame, selected, maxWords], () =>
      writeSummary(
        { ...frame, points: selected, similarity: selection.pickedSimilarity, maxWords },
        {
          writer: naive?.writer(points) ?? byModel,
          // The very texts whose vectors are there.
          checker: () =>
            checkerOver(
              kept.map((i) => encodedText(points[i])),
              kernelEncoder,
              database,
            ),
          judge: plan.judge({ written: query.language, quoted: commonLanguage(documents) }),
          onSentence: told.onSentence,
        },
      ),
    ),
  );
  told.rest(written.summary.sentences);
  return written;
}
