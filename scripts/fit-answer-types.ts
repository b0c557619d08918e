/**
 * Fits the classifier of answer types to the sentences and questions in models/answer-types, and says how well it does on
 * parts that it was not fitted to: `npm run fit:answer-types`. Same files, same weights.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANSWER_TYPES, transformersEncoder } from '../src/models/index.node.ts';
import { type LinearClassifier, logOdds, softmax } from '../src/models/index.ts';

const TYPES = ['complaint', 'praise', 'wish', 'cause', 'decision', 'action', 'risk', 'change', 'remedy', 'rule'];
/** Ridge penalties, per example. */
const PENALTY = { statements: 1, questions: 0.1 };
const STEPS = 400;
/** The part of questions made of patterns, the subjects that each is asked of, and the steps to the next pattern's and to its own next. */
const PATTERNS = 'patterns';
const SUBJECTS = 10;
const STEP = { pattern: 7, subject: 11 };
/** What says the opposite of a type counts so many times among what is not of it: both are about how something was liked. */
const OPPOSITE: Readonly<Record<string, string>> = { complaint: 'praise', praise: 'complaint' };
const OPPOSITE_WEIGHT = 4;

interface Example {
  readonly text: string;
  /** Who wrote it: parts are held out whole. */
  readonly part: string;
  /** Types of a statement; the one type of a question, or none. */
  readonly types: readonly string[];
  readonly vector: Float32Array;
}

/** How far each class holds of an example (0 or 1), and how much it counts. */
type Target = (example: Example, type: number) => number;

const encoder = await transformersEncoder();
const statements = await read('statements.jsonl');
const questions = [...(await read('questions.jsonl')), ...(await encoded(patterns()))];

for (const part of [...new Set(statements.map((each) => each.part))]) {
  const [known, held] = parted(statements, part);
  const fitted = fitStatements(known);
  const areas = TYPES.map((type, t) => {
    const odds = held.map(({ vector }) => logOdds(fitted, vector)[t]);
    return `${type} ${areaUnderCurve(
      odds,
      held.map(({ types }) => types.includes(type)),
    ).toFixed(2)}`;
  });
  say(`Statements, part ${part} held out (${held.length}), area under the curve: ${areas.join(', ')}`);
}
for (const part of [...new Set(questions.map((each) => each.part))].filter((each) => each !== PATTERNS)) {
  const [known, held] = parted(questions, part);
  const fitted = fitQuestions(known);
  const right = held.filter(({ vector, types }) => {
    const odds = logOdds(fitted, vector);
    return (TYPES[odds.indexOf(Math.max(...odds))] ?? 'none') === (types[0] ?? 'none');
  });
  say(`Questions, part ${part} held out: ${right.length} of ${held.length} right`);
}

writeFileSync(
  join(ANSWER_TYPES, 'weights.json'),
  `${JSON.stringify({
    encoder: encoder.profile.id,
    types: TYPES,
    statements: rounded(fitStatements(statements)),
    questions: rounded(fitQuestions(questions)),
  })}\n`,
);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function read(file: string): Promise<Example[]> {
  const lines = readFileSync(join(ANSWER_TYPES, file), 'utf8').trim().split('\n');
  return encoded(lines.map((line) => JSON.parse(line)));
}

/** Each pattern of a question asked of some of the subjects, so that what is asked about does not decide. */
function patterns(): Omit<Example, 'vector'>[] {
  const { questions, subjects } = JSON.parse(readFileSync(join(ANSWER_TYPES, 'patterns.json'), 'utf8'));
  const all = Object.entries<string[]>(questions).flatMap(([type, texts]) => texts.map((text) => ({ type, text })));
  return all.flatMap(({ type, text }, p) =>
    Array.from({ length: SUBJECTS }, (_, s) => {
      const subject: Record<string, string> = subjects[(p * STEP.pattern + s * STEP.subject) % subjects.length];
      const filled = text.replace(/\{(\w+)\}/g, (_, slot: string) => subject[slot] ?? '');
      return { text: filled, part: PATTERNS, types: type === 'none' ? [] : [type] };
    }),
  );
}

async function encoded(found: readonly Omit<Example, 'vector'>[]): Promise<Example[]> {
  const encodings = await encoder.encode(found.map(({ text }) => text));
  return found.map((each, i) => ({ ...each, vector: encodings[i].sentence }));
}

function parted(examples: readonly Example[], part: string): [Example[], Example[]] {
  return [examples.filter((each) => each.part !== part), examples.filter((each) => each.part === part)];
}

/** One logistic regression a type, in which examples of it weigh as much as all others. */
function fitStatements(examples: readonly Example[]): LinearClassifier {
  const holds: Target = ({ types }, type) => (types.includes(TYPES[type]) ? 1 : 0);
  const shares = TYPES.map((_, t) => examples.filter((example) => holds(example, t) === 1).length / examples.length);
  return descend(examples, TYPES.length, PENALTY.statements, (odds, example, gradient) => {
    for (let t = 0; t < TYPES.length; t++) {
      const target = holds(example, t);
      const times = example.types.includes(OPPOSITE[TYPES[t]] ?? '') ? OPPOSITE_WEIGHT : 1;
      const weight = target === 1 ? 0.5 / shares[t] : (times * 0.5) / (1 - shares[t]);
      gradient[t] = weight * (1 / (1 + Math.exp(-odds[t])) - target);
    }
  });
}

/** A multinomial logistic regression over the types and none of them. */
function fitQuestions(examples: readonly Example[]): LinearClassifier {
  const classes = [...TYPES, 'none'];
  return descend(examples, classes.length, PENALTY.questions, (odds, { types }, gradient) => {
    const found = softmax(odds);
    for (let c = 0; c < classes.length; c++) {
      gradient[c] = found[c] - ((types[0] ?? 'none') === classes[c] ? 1 : 0);
    }
  });
}

/** Nesterov's accelerated gradient descent from zero. */
function descend(
  examples: readonly Example[],
  classes: number,
  penalty: number,
  gradientOf: (odds: Float64Array, example: Example, gradient: Float64Array) => void,
): LinearClassifier {
  const width = encoder.profile.sentenceDimensions + 1;
  const rate = 2 / (1 + penalty / examples.length);
  let weights = new Float64Array(classes * width);
  let ahead = weights;
  for (let step = 1; step <= STEPS; step++) {
    const sums = ahead.map((value, w) => (w % width === width - 1 ? 0 : (penalty * value) / examples.length));
    const gradient = new Float64Array(classes);
    const classifier = unpacked(ahead, classes, width);
    for (const example of examples) {
      gradientOf(logOdds(classifier, example.vector), example, gradient);
      for (let c = 0; c < classes; c++) {
        const share = gradient[c] / examples.length;
        for (let i = 0; i < width - 1; i++) sums[c * width + i] += share * example.vector[i];
        sums[c * width + width - 1] += share;
      }
    }
    const next = ahead.map((value, w) => value - rate * sums[w]);
    const momentum = (step - 1) / (step + 2);
    ahead = next.map((value, w) => value + momentum * (value - weights[w]));
    weights = next;
  }
  return unpacked(weights, classes, width);
}

function unpacked(weights: Float64Array, classes: number, width: number): LinearClassifier {
  const rows = Array.from({ length: classes }, (_, c) => [...weights.subarray(c * width, (c + 1) * width)]);
  return { bias: rows.map((row) => row[width - 1]), weights: rows.map((row) => row.slice(0, -1)) };
}

/** The chance that an example of a type has larger odds than another. */
function areaUnderCurve(odds: readonly number[], holds: readonly boolean[]): number {
  const of = odds.filter((_, i) => holds[i]);
  const others = odds.filter((_, i) => !holds[i]);
  const won = of.reduce(
    (sum, value) => sum + others.reduce((count, other) => count + (value > other ? 1 : value === other ? 0.5 : 0), 0),
    0,
  );
  return won / (of.length * others.length);
}

function rounded({ bias, weights }: LinearClassifier): LinearClassifier {
  const round = (value: number): number => Number(value.toFixed(3));
  return { bias: bias.map(round), weights: weights.map((row) => row.map(round)) };
}
