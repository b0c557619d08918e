import type { Span } from './document.ts';
import type { MarkedLine } from './marked-lines.ts';
import { isTranscript, type SpeakerLabel, speakerLabel } from './speaker-label.ts';

const STOP = /[\p{Sentence_Terminal}…]["'”’»)\]*_]*$/u;

/** Lines that belong together: a turn of a transcript, a question, its answer, or what stands outside of all turns. */
export interface Turn {
  readonly lines: readonly MarkedLine[];
  readonly speaker?: string | undefined;
  readonly role?: 'question' | 'answer' | undefined;
  /** What the label says beside the name. */
  readonly note?: Span | undefined;
}

/** Takes lines apart into turns; all lines are one where nothing is labelled as a transcript or as questions and answers. */
export function turns(text: string, marked: readonly MarkedLine[]): Turn[] {
  const labels = openings(text, marked);
  if (labels.every((label) => label === undefined)) return [{ lines: marked }];
  const gapped = answersHaveGaps(marked, labels);
  const lastLabel = labels.findLastIndex((label) => label !== undefined);
  const found: { lines: MarkedLine[]; speaker?: string; role?: Turn['role']; note?: Span }[] = [{ lines: [] }];
  for (const [n, line] of marked.entries()) {
    const label = labels[n];
    const last = found.at(-1);
    if (label) {
      const content = line.content + label.length;
      const { note } = label;
      found.push({
        lines: content < line.end ? [{ ...line, content, start: content, afterGap: true }] : [],
        ...(label.role ? { role: label.role } : { speaker: label.name }),
        ...(note && { note: { start: line.content + note.start, end: line.content + note.end } }),
      });
    } else if (last?.role && (line.kind === 'heading' || endsAnswer(line, n))) found.push({ lines: [line] });
    else last?.lines.push(line);
  }
  return found;

  /** The last answer of a text ends at a gap, unless others ran over gaps. */
  function endsAnswer(line: MarkedLine, n: number): boolean {
    return line.afterGap && !gapped && n > lastLabel;
  }
}

/** The labels that open turns, by line. */
function openings(text: string, marked: readonly MarkedLine[]): (SpeakerLabel | undefined)[] {
  const labels = marked.map(({ kind, content, end }) =>
    kind === 'plain' || kind === 'item' ? speakerLabel(text, content, end) : undefined,
  );
  if (labels.every((label) => label === undefined)) return labels;
  const spoken = labels.map((label, n) => (label?.role || marked[n]?.kind === 'item' ? undefined : label));
  const isPaired = hasPair(labels);
  const finished = (own: readonly (SpeakerLabel | undefined)[]) =>
    marked.filter(({ end }, n) => own[n] && STOP.test(text.slice(Math.max(0, end - 4), end))).length;
  const kept = (['colon', 'bracket'] as const).map((style) => {
    const own = spoken.map((label) => (label?.style === style ? label : undefined));
    const names = own.flatMap((label) => label?.name ?? []);
    const enough =
      style === 'bracket'
        ? names.length >= 2 && names.length >= 0.2 * marked.length
        : isTranscript(names, marked.length, finished(own));
    return enough ? withoutHeader(marked, own) : [];
  });
  return labels.map((label, n) => kept[0]?.[n] ?? kept[1]?.[n] ?? (label?.role && isPaired ? label : undefined));
}

/** Whether a question is labelled and the next label is an answer's. */
function hasPair(labels: readonly (SpeakerLabel | undefined)[]): boolean {
  const roles = labels.flatMap((label) => label?.role ?? []);
  return roles.some((role, n) => role === 'question' && roles[n + 1] === 'answer');
}

/** "Customer: a bakery" above a transcript names no speaker: the first paragraphs count only where a name comes back. */
function withoutHeader(marked: readonly MarkedLine[], labels: readonly (SpeakerLabel | undefined)[]) {
  const counts = new Map<string, number>();
  for (const label of labels) if (label) counts.set(label.name, (counts.get(label.name) ?? 0) + 1);
  const comesBack = (label: SpeakerLabel | undefined) => label !== undefined && (counts.get(label.name) ?? 0) > 1;
  const first = labels.findIndex(comesBack);
  const gap = marked.findLastIndex((line, n) => n > 0 && n <= first && line.afterGap);
  return first < 0 || gap < 1 ? labels : labels.map((label, n) => (n < gap ? undefined : label));
}

function answersHaveGaps(marked: readonly MarkedLine[], labels: readonly (SpeakerLabel | undefined)[]): boolean {
  const last = labels.findLastIndex((label) => label !== undefined);
  let isAnswer = false;
  for (let n = 0; n < last; n++) {
    const label = labels[n];
    if (label) isAnswer = label.role === 'answer';
    else if (isAnswer && marked[n]?.afterGap) return true;
  }
  return false;
}
