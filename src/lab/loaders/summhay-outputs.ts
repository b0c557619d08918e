import { citationMarkers, citedDocuments, findMarkers } from '../../text/index.ts';
import { caseOf, type SummHayHaystack } from './summhay.ts';

/** What a system wrote for a case of a benchmark set. */
interface SystemOutput {
  readonly system: string;
  /** Id of the case. */
  readonly case: string;
  /** With their markers, "… [a][b]", which name documents by their ids. */
  readonly bullets: readonly string[];
}

/** What the summaries are stored under, before the name of the system; the paper's own tables leave it out. */
const PREFIX = /^summary_subtopic_/;

/**
 * The summaries of other systems that a file of SummHay holds.
 *
 * They cite documents by the number that the model was shown (`populate_summaries.py` of the repository, "Article 3"):
 * one more than `idx`, which is the place in the file from 0 and is also what it is taken for where it is not given. Each
 * such number becomes a marker of its own with the id of the document: "[1, 3-4]" is "[a][c][d]". A number that no
 * document has stays as it is, and is then a citation of nothing. First lines as "Here are the insights:" stay, as they
 * do in the paper's evaluation.
 */
export function outputsOf({ topic_id, subtopics, documents }: SummHayHaystack): SystemOutput[] {
  const shown = new Map(documents.map(({ document_id, idx }, place) => [String((idx ?? place) + 1), document_id]));
  return subtopics.flatMap(({ subtopic_id, summaries }) =>
    Object.entries(summaries ?? {}).flatMap(([key, bullets]) => {
      if (bullets === null) return [];
      const system = key.replace(PREFIX, '');
      const named = bullets.map((bullet) => withIds(bullet, shown));
      return [{ system, case: caseOf(topic_id, subtopic_id), bullets: named }];
    }),
  );
}

function withIds(bullet: string, shown: ReadonlyMap<string, string>): string {
  let read = '';
  let from = 0;
  // Without known ids every marker is one of numbers.
  for (const marker of findMarkers(bullet, new Set())) {
    const ids = citedDocuments([marker]).map((number) => shown.get(number) ?? number);
    read += bullet.slice(from, marker.start) + citationMarkers(ids);
    from = marker.end;
  }
  return read + bullet.slice(from);
}
