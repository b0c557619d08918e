import { expect, test } from 'vitest';
import {
  type DealingOptions,
  haystackOfStatements,
  type readStatements,
} from '../../../src/lab/makers/haystack-statements.ts';
import { seededRandom, shuffled } from '../../../src/selection/index.ts';
import fc from '../../support/seeded-fast-check.ts';

type LabelledStatement = Partial<ReturnType<typeof readStatements>[number]> & {
  readonly topic: string;
  readonly statement: string;
};

function made(records: readonly LabelledStatement[], options: DealingOptions & { readonly seed: number }) {
  const { set, ...more } = haystackOfStatements(records, options);
  if (set === null) throw new Error('nothing was made');
  return { set, ...more };
}

/** Topics with insights of some statements each, and filler; every statement ends with a number of its own. */
const cases = fc
  .record({
    topics: fc.array(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    }),
    filler: fc.integer({ min: 0, max: 30 }),
    documents: fc.integer({ min: 1, max: 20 }),
    words: fc.integer({ min: 5, max: 80 }),
    least: fc.integer({ min: 1, max: 5 }),
    repeat: fc.boolean(),
    seed: fc.integer({ min: 0, max: 99 }),
    ended: fc.boolean(),
  })
  .map(({ topics, filler, least, documents, ended, ...options }) => {
    let number = 0;
    const stated = () => `Statement of some words number${number++}${ended ? '.' : ''}`;
    const labelled = topics.flatMap((sizes, topic) =>
      sizes.flatMap((size, insight) =>
        Array.from(
          { length: size },
          (): LabelledStatement => ({
            query: undefined,
            topic: `Topic ${topic}`,
            insight: `Insight ${insight}`,
            statement: stated(),
          }),
        ),
      ),
    );
    const fillers = Array.from(
      { length: filler },
      (_, at): LabelledStatement => ({ topic: `Topic ${at % topics.length}`, statement: stated() }),
    );
    return {
      records: [...labelled, ...fillers],
      options: { ...options, documents, least: Math.min(least, documents) },
    };
  });

test('labels say exactly what the documents hold, and every insight is in as many as it has statements for', () => {
  fc.assert(
    fc.property(cases, ({ records, options }) => {
      const { set: haystack, making, notes } = made(records, options);
      const [{ documents }] = haystack.collections;
      expect(documents.length).toBeLessThanOrEqual(options.documents);
      const holders = (statement: string) =>
        documents.filter(({ text }) => new RegExp(`${statement.replace('.', '')}\\b`).test(text)).map(({ id }) => id);
      for (const { insights = [], passages = [], intent } of haystack.cases) {
        for (const { id, text, documents: told = [] } of insights) {
          const own = records.filter(({ topic, insight }) => topic === intent && insight === text);
          // A second way of computing it: by looking for the statements in the texts.
          expect(told).toEqual(
            documents.flatMap((each) =>
              own.some(({ statement }) => holders(statement).includes(each.id)) ? [each.id] : [],
            ),
          );
          const wanted = options.repeat ? options.least : Math.min(options.least, own.length);
          expect(told.length).toBeGreaterThanOrEqual(wanted);
          const own_passages = passages.filter((passage) => passage.insights?.includes(id));
          expect(new Set(own_passages.map(({ document }) => document))).toEqual(new Set(told));
          for (const { document, start, end } of own_passages) {
            const slice = documents.find((each) => each.id === document)?.text.slice(start, end);
            expect(own.map(({ statement }) => statement)).toContain(slice);
          }
        }
      }
      const rare = haystack.cases.flatMap(({ insights = [] }) =>
        insights.filter((each) => (each.documents?.length ?? 0) < options.least),
      );
      expect(making.counts.rare).toBe(rare.length);
      for (const { text } of rare.slice(0, 10)) expect(notes.join()).toContain(text);
      if (!options.repeat) expect(making.counts.repeated).toBe(0);
      const found = records.filter(({ statement }) => holders(statement).length > 0).length;
      expect(making.counts.unused).toBe(records.length - found);
      expect(documents.every(({ text }) => text.trim() !== '')).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('the same statements in another order give the same haystack', () => {
  fc.assert(
    fc.property(cases, fc.integer({ min: 0, max: 99 }), ({ records, options }, other) => {
      const one = haystackOfStatements(records, options);
      expect(haystackOfStatements(shuffled(records, seededRandom(other)), options)).toEqual(one);
    }),
    { numRuns: 20 },
  );
});

test('documents are about as long as asked, and few topics to each', () => {
  const statement = (topic: number, insight: number, at: number) =>
    `On subject ${topic} finding ${insight} was told in manner ${at} by them.`;
  const records = Array.from({ length: 2400 }, (_, n): LabelledStatement => {
    const [topic, insight, at] = [n % 8, Math.floor(n / 8) % 6, Math.floor(n / 48)];
    return {
      topic: `Topic ${topic}`,
      statement: statement(topic, insight, at),
      ...(at < 8 && { insight: `Insight ${insight}` }),
    };
  });
  const options = { documents: 60, words: 490, least: 6, repeat: false, seed: 5 };
  const { set: haystack, making } = made(records, options);
  const [{ documents }] = haystack.collections;
  const lengths = documents.map(({ text }) => text.split(/\s+/).length);
  expect(documents).toHaveLength(59);
  expect(making.counts.unused).toBe(0);
  expect(Math.min(...lengths)).toBeGreaterThan(420);
  expect(Math.max(...lengths)).toBeLessThan(550);
  const paragraphs = documents.map(({ text }) => text.split('\n\n').length);
  expect(paragraphs.reduce((sum, count) => sum + count, 0) / 59).toBeLessThan(5);
});

test('a statement that tells two insights is one passage with both', () => {
  const both = { topic: 'Bees', statement: 'Of 40 hives 12 died.' };
  const records = [
    { ...both, insight: 'There were 40 hives.' },
    { ...both, insight: 'Twelve died.' },
    { topic: 'Bees', query: 'How are the bees?', statement: 'Nobody saw it coming.' },
  ];
  const { set: haystack } = made(records, { documents: 1, words: 50, least: 1, repeat: false, seed: 1 });
  const [{ intent, passages }] = haystack.cases;
  expect(intent).toBe('How are the bees?');
  expect(passages?.map(({ insights }) => insights)).toEqual([['t1-i1', 't1-i2']]);
});
