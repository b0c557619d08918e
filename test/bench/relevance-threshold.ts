import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { transformersEncoder } from '../../src/models/index.node.ts';
import { type Encoder, encodeQueries, encodeTexts } from '../../src/models/index.ts';
import { vectorCosine } from '../../src/selection/index.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { storeCache } from '../../src/store/index.ts';

// Finds from which cosine a question is relevant to an intent: npx tsx test/bench/relevance-threshold.ts [--data …]
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data' },
  },
});

/** An intent with a text that people say is relevant to it or not. */
interface Pair {
  readonly intent: string;
  readonly text: string;
  readonly relevant: boolean;
  /** Haystack or meeting, of which one can be left out. */
  readonly group: string;
}

type Scored = Pair & { readonly score: number };

interface Haystack {
  readonly queries: readonly { readonly intent: string; readonly insights: readonly { readonly text: string }[] }[];
}

interface Meeting {
  readonly id: string;
  readonly queries: readonly {
    readonly intent: string;
    readonly relevantTurns?: readonly (readonly [number, number])[];
  }[];
}

/** What people say of a subject, against what they say of the other subjects of the same haystack. */
function haystackPairs(): Pair[] {
  return ['h1', 'h2', 'h3', 'h4'].flatMap((group) => {
    const { queries }: Haystack = JSON.parse(readFileSync(`${values.data}/haystacks/${group}.json`, 'utf8'));
    return queries.flatMap(({ intent }, asked) =>
      queries.flatMap(({ insights }, own) =>
        insights.map(({ text }) => ({ intent, text, relevant: own === asked, group })),
      ),
    );
  });
}

/** Turns shared from which two questions ask for the same. */
const SAME_TURNS = 0.5;

/** Questions about one meeting: those answered by the same turns against those answered by turns that are all others. */
function meetingPairs(): Pair[] {
  const meetings: Meeting[] = JSON.parse(readFileSync(`${values.data}/qmsum-val.json`, 'utf8'));
  return meetings.flatMap(({ id, queries }) => {
    const asked = queries.flatMap(({ intent, relevantTurns = [] }) => {
      const turns = new Set(relevantTurns.flatMap(([from, to]) => range(Number(from), Number(to))));
      return turns.size === 0 ? [] : [{ intent, turns }];
    });
    return asked.flatMap((one) =>
      asked.flatMap((other): Pair[] => {
        if (one.intent === other.intent) return [];
        const both = [...one.turns].filter((turn) => other.turns.has(turn)).length;
        const share = both / (one.turns.size + other.turns.size - both);
        if (both > 0 && share < SAME_TURNS) return [];
        return [{ intent: one.intent, text: other.intent, relevant: both > 0, group: id }];
      }),
    );
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);
}

async function scored(encoder: Encoder, pairs: readonly Pair[]): Promise<Scored[]> {
  const database = openDatabase(':memory:');
  const intents = [...new Set(pairs.map(({ intent }) => intent))];
  const asked = await encodeQueries(encoder, intents);
  const vectors = new Map(intents.map((intent, place) => [intent, asked[place].sentence]));
  const { sentences } = await encodeTexts(
    encoder,
    storeCache(database),
    pairs.map(({ text }) => text),
  );
  database.close();
  return pairs.map((pair, place) => {
    const vector = vectors.get(pair.intent);
    return { ...pair, score: vector === undefined ? 0 : vectorCosine(vector, sentences[place]) };
  });
}

function rates(pairs: readonly Scored[], threshold: number): { readonly hits: number; readonly passed: number } {
  const share = (relevant: boolean) => {
    const own = pairs.filter((pair) => pair.relevant === relevant);
    return own.filter(({ score }) => score > threshold).length / own.length;
  };
  return { hits: share(true), passed: share(false) };
}

function balanced(pairs: readonly Scored[], threshold: number): number {
  const { hits, passed } = rates(pairs, threshold);
  return (hits + 1 - passed) / 2;
}

/** The threshold, in hundredths, with the best balanced accuracy; the middle one of several. */
function best(pairs: readonly Scored[]): number {
  const all = range(0, 90).map((hundredths) => hundredths / 100);
  const figures = all.map((threshold) => balanced(pairs, threshold));
  const most = Math.max(...figures);
  const equal = all.filter((_, place) => figures[place] === most);
  return equal[Math.floor(equal.length / 2)];
}

function notify(name: string, pairs: readonly Scored[]): void {
  const threshold = best(pairs);
  const { hits, passed } = rates(pairs, threshold);
  const elsewhere = [...new Set(pairs.map(({ group }) => group))].flatMap((group) => {
    const fitted = best(pairs.filter((pair) => pair.group !== group));
    return pairs.filter((pair) => pair.group === group).map((pair) => ({ ...pair, score: pair.score - fitted }));
  });
  const relevant = pairs.filter((pair) => pair.relevant).length;
  print(`  ${name}: ${relevant} relevant, ${pairs.length - relevant} not`);
  print(
    `    best above ${threshold.toFixed(2)}: balanced accuracy ${balanced(pairs, threshold).toFixed(3)}, ${(100 * hits).toFixed(1)}% of the relevant and ${(100 * passed).toFixed(1)}% of the others pass; one group left out at a time ${balanced(elsewhere, 0).toFixed(3)}`,
  );
  for (const each of [0.15, 0.2, 0.25, 0.3, 0.35, 0.37, 0.4, 0.44, 0.45, 0.5, 0.55, 0.6]) {
    const { hits: found, passed: wrong } = rates(pairs, each);
    print(
      `    above ${each.toFixed(2)}: ${balanced(pairs, each).toFixed(3)}, ${(100 * found).toFixed(1)}%, ${(100 * wrong).toFixed(1)}%`,
    );
  }
}

const encoder = await transformersEncoder();
print(encoder.profile.id);
notify('insights of haystacks', await scored(encoder, haystackPairs()));
notify('questions about meetings', await scored(encoder, meetingPairs()));
process.exit(0);
