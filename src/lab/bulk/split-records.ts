/** A value of a file, and how a person finds it there: `scores.jsonl line 3`, `scores.json record 0`. */
interface RawRecord {
  readonly where: string;
  readonly value: unknown;
}

/** Something that is wrong with a record. */
export interface RecordProblem {
  readonly where: string;
  /** JSON pointer into the record; empty for the whole. */
  readonly pointer: string;
  readonly detail: string;
}

interface SplitRecords {
  readonly records: readonly RawRecord[];
  readonly problems: readonly RecordProblem[];
}

/** The values of a file that holds a JSON array, one JSON object, or JSON Lines, in their order. */
export function splitRecords(file: string, text: string): SplitRecords {
  const body = text.replace(/^\uFEFF/, '');
  if (body.trim() === '') return { records: [], problems: [{ where: file, pointer: '', detail: 'holds no records' }] };
  const whole = parseJson(body);
  if (Array.isArray(whole?.value)) {
    const records = whole.value.map((value: unknown, index) => ({ where: `${file} record ${index}`, value }));
    const problems = records.length === 0 ? [{ where: file, pointer: '', detail: 'holds no records' }] : [];
    return { records, problems };
  }
  if (whole !== null) return { records: [{ where: `${file} record 0`, value: whole.value }], problems: [] };
  if (body.trimStart().startsWith('[')) {
    return { records: [], problems: [{ where: file, pointer: '', detail: 'is not valid JSON' }] };
  }
  const lines = body.split(/\r?\n/).map((line, index) => ({ where: `${file} line ${index + 1}`, line }));
  const filled = lines.filter(({ line }) => line.trim() !== '');
  const parsed = filled.map(({ where, line }) => ({ where, read: parseJson(line) }));
  return {
    records: parsed.flatMap(({ where, read }) => (read === null ? [] : [{ where, value: read.value }])),
    problems: parsed.flatMap(({ where, read }) =>
      read === null ? [{ where, pointer: '', detail: 'is not valid JSON' }] : [],
    ),
  };
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
