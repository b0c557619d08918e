import { describe, expect, test } from 'vitest';
import type { CellEvent, Table } from '../../../src/contract/index.ts';
import { createDigest, type DigestDeps, makeTable, type RequestDocument } from '../../../src/digest/index.ts';
import { shippedReader, transformersEncoder } from '../../../src/models/index.node.ts';
import { memoryCache } from '../../../src/models/index.ts';
import { CITY } from '../../support/documents.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { NO_MODELS } from '../../support/no-models.ts';
import { variedDocuments, variedIntent } from '../../support/varied-documents.ts';

const MINILM = await transformersEncoder();
const READER = await shippedReader();

/** Counts how often each text is encoded. */
function parts() {
  const encoded: string[] = [];
  const encoder = {
    ...MINILM,
    encode: (texts: readonly string[]) => {
      encoded.push(...texts);
      return MINILM.encode(texts);
    },
  };
  const engine = Object.assign(new InProcessEngine({ minilm: encoder }), { defaultEncoder: 'minilm', reader: READER });
  const failures: unknown[] = [];
  const deps: DigestDeps = {
    engine,
    cache: memoryCache(),
    models: NO_MODELS,
    reportFailure: (failure) => failures.push(failure),
  };
  return { engine, encoded, failures, deps };
}

const QUESTIONS = [
  'How much is the congestion charge?',
  'By how much did sales fall, and when?',
  'What do residents pay?',
  'Who is the mayor of Lisbon?',
  'What would the charge do to traffic?',
];

/** What holds of any table, whatever it is made of. */
function expectTrue(table: Table, documents: readonly RequestDocument[], questions: readonly string[]): void {
  expect(table.rows.map(({ document }) => document)).toEqual(documents.map(({ id }) => id));
  expect(table.columns.map(({ question }) => question)).toEqual(questions);
  for (const [column, { answered, of }] of table.columns.entries()) {
    expect(answered).toBe(table.rows.filter(({ cells }) => cells[column].answered).length);
    expect(of).toBe(documents.length);
  }
  for (const [index, { cells, document }] of table.rows.entries()) {
    expect(cells).toHaveLength(questions.length);
    for (const [column, { answered, sure, text, quote, agrees }] of cells.entries()) {
      expect(quote !== null).toBe(answered);
      expect(text !== '').toBe(answered);
      if (quote === null) expect([sure, agrees]).toEqual([false, []]);
      else expect(documents[index].text.slice(quote.start, quote.end)).toBe(quote.text);
      expect(agrees).not.toContain(document);
      for (const other of agrees) {
        const cell = table.rows.find((row) => row.document === other)?.cells[column];
        expect(cell?.agrees).toContain(document);
      }
    }
  }
}

/** What a digest of one document says: whether it answers, and its most relevant point of those that it may tell. */
async function alone(document: RequestDocument, intent: string, deps: DigestDeps) {
  const { intent: found, keyPoints } = await createDigest({ documents: [document], intent }, deps);
  const may = keyPoints.filter(({ reason }) => reason !== 'gate' && reason !== 'level');
  const best = may.toSorted((a, b) => Number(b.relevance) - Number(a.relevance)).at(0);
  // Of a text in a foreign language that shares no word with the question a digest tells nothing, whatever it says of itself.
  return {
    answered: best === undefined ? 'no' : (found?.answered ?? 'no'),
    quote: best?.quote.text,
    selected: best?.selected,
  };
}

describe('the embedded engine', () => {
  test('answers a cell as a digest of that document alone would', async () => {
    const varied = variedDocuments({ seed: 5, documents: 3, sentences: 25, runsOn: true, weighed: false });
    const documents = [...CITY, ...varied];
    const questions = [...QUESTIONS, variedIntent([1])];
    const table = await makeTable({ documents, questions }, parts().deps);
    expectTrue(table, documents, questions);
    const { deps } = parts();
    let said = 0;
    for (const [row, document] of documents.entries()) {
      for (const [column, question] of questions.entries()) {
        const cell = table.rows[row].cells[column];
        const { answered, quote, selected } = await alone(document, question, deps);
        const name = `${document.id}: ${question}`;
        expect(cell.answered, name).toBe(answered !== 'no');
        expect(cell.sure, name).toBe(answered === 'yes');
        if (cell.answered) expect([cell.quote?.text, true], name).toEqual([quote, selected]);
        said += Number(cell.answered);
      }
    }
    // Neither all nor none, or the comparison would show little.
    expect(said).toBeGreaterThan(5);
    expect(said).toBeLessThan(documents.length * questions.length - 5);
  });

  test('reads and encodes each document once for all questions', async () => {
    const { engine, encoded, deps } = parts();
    const questions = Array.from({ length: 10 }, (_, i) => `What is said of the charge in part ${i}?`);
    const table = await makeTable({ documents: CITY, questions }, deps);
    expectTrue(table, CITY, questions);
    expect(engine.extracted.toSorted()).toEqual(CITY.map(({ text }) => text).sort());
    const ofDocuments = encoded.filter((text) => !questions.includes(text));
    expect(ofDocuments.length).toBe(new Set(ofDocuments).size);
    const again = await makeTable({ documents: CITY, questions }, deps);
    expect(again.usage).toMatchObject({ reusedExtractions: CITY.length });
    expect({ ...again, usage: null }).toEqual({ ...table, usage: null });
  });

  test('does not depend on the order of the documents', async () => {
    const { rows } = await makeTable({ documents: CITY, questions: QUESTIONS }, parts().deps);
    const turned = CITY.toReversed();
    const table = await makeTable({ documents: turned, questions: QUESTIONS }, parts().deps);
    expectTrue(table, turned, QUESTIONS);
    expect(table.rows.toReversed()).toEqual(rows);
  });

  test('finds cells that say the same, and no others', async () => {
    const text = (more: string) => `The charge raised 40 million euros in its first year. ${more}`;
    const documents = [
      { id: 'a', text: text('Trams run more often.') },
      { id: 'b', text: text('Trams run more often.') },
      { id: 'c', text: text('Nobody paid it twice.').replace('40', '41') },
      { id: 'd', text: 'The charge raised 40 million euros in its first year, officially.' },
    ];
    const questions = ['How much did the charge raise?'];
    const table = await makeTable({ documents, questions }, parts().deps);
    expectTrue(table, documents, questions);
    expect(table.rows.map(({ cells }) => [cells[0].answered, cells[0].agrees])).toEqual([
      [true, ['b', 'd']],
      [true, ['a', 'd']],
      [true, []],
      [true, ['a', 'b']],
    ]);
  });

  test('leaves blank and unreadable documents empty, with a warning', async () => {
    const { engine, failures, deps } = parts();
    const documents = [
      { id: 'blank', text: ' \n\t ' },
      { id: 'none', text: '' },
      { id: 'lost', text: 'This cannot be read.' },
      CITY[0],
    ];
    engine.unreadable.add('This cannot be read.');
    const table = await makeTable({ documents, questions: QUESTIONS }, deps);
    expectTrue(table, documents, QUESTIONS);
    expect(table.rows.slice(0, 3).flatMap(({ cells }) => cells.filter(({ answered }) => answered))).toEqual([]);
    expect(table.rows[3].cells[0].answered).toBe(true);
    expect(table.warnings).toEqual([
      '“lost”: No key points could be extracted from this document.',
      'No statement was found in “blank”, “none”.',
    ]);
    expect(failures).toHaveLength(1);
  });

  test('tells each cell once, as it stands in the end', async () => {
    const told: CellEvent[] = [];
    const request = { documents: CITY, questions: QUESTIONS };
    const { rows } = await makeTable(request, parts().deps, { onCell: (cell) => told.push(cell) });
    expect(told).toHaveLength(CITY.length * QUESTIONS.length);
    const whole = rows.flatMap(({ document, cells }) =>
      cells.map(({ agrees: _, ...cell }, column) => ({ document, column, ...cell })),
    );
    expect(new Set(told.map((cell) => JSON.stringify(cell)))).toEqual(
      new Set(whole.map(({ document, column, ...cell }) => JSON.stringify({ document, column, ...cell }))),
    );
  });

  test('stops when nobody waits for it', async () => {
    const gone = new AbortController();
    const onCell = () => gone.abort(new Error('gone'));
    await expect(
      makeTable({ documents: CITY, questions: QUESTIONS }, parts().deps, { onCell }, gone.signal),
    ).rejects.toThrow('gone');
  });

  test('says what it cannot judge', async () => {
    const text =
      'Die Maut beträgt vier Euro am Tag und gilt ab September. Anwohner der Altstadt zahlen davon nur die Hälfte. Mit den Einnahmen will die Stadt neue Straßenbahnen kaufen.';
    const german = { id: 'de', text };
    const table = await makeTable({ documents: [german], questions: [QUESTIONS[0]] }, parts().deps);
    expect(table.warnings.join()).toMatch(/One document is in German/);
  });
});

test('a table of too many cells is refused', async () => {
  const documents = Array.from({ length: 201 }, (_, i) => ({ id: `${i}`, text: 'It rains.' }));
  const questions = Array.from({ length: 10 }, (_, i) => `What falls on day ${i}?`);
  await expect(makeTable({ documents, questions }, parts().deps)).rejects.toMatchObject({
    code: 'limit-exceeded',
    pointer: '/questions',
  });
});
