import { RULES, type Rule } from './rules.ts';
import { FRAMES, hostile, UNITS } from './strings.ts';

/**
 * Measures the CPU of each rule for hostile texts of a length, and again for texts 4 and 8 times as long where it takes more than
 * some milliseconds, and prints those that grow too fast. A fuller run than that of the test, of some minutes:
 * `node --import tsx test/growth/grow.ts 12000 15 4 all [rules]`.
 */
const [length = 4000, floor = 7, frames = 1] = process.argv.slice(2, 5).map(Number);
const units = process.argv[5] === 'all' ? UNITS.all : UNITS.core;
const only = new RegExp(process.argv[6] ?? '');
/** Times as long for 4 times the text: a linear rule takes 4, a quadratic one 16. What takes more than this is measured again. */
const DOUBTFUL = 6;
/** Times as long for 8 times the text: a linear rule takes 8, a quadratic one 64. */
const MOST = 24;

/** Looks for marks from each letter of a run: the measurement must find it. */
const PLANTED: Rule = (text) => text.includes('aaa') && /[\p{L}\p{N}]+[!?]/u.test(text + text);

function milliseconds(rule: Rule, text: string): number {
  const before = process.cpuUsage();
  try {
    const read = rule(text);
    if (read instanceof Promise) read.catch(() => {});
  } catch {
    // A refusal is an answer.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (rule: Rule, text: string) => Math.min(...Array.from({ length: 3 }, () => milliseconds(rule, text)));

const rules = Object.entries(RULES).flatMap(([file, own]) =>
  Object.entries(own).flatMap(([name, each]) =>
    [each].flat().map((rule, n) => ({ name: `${file} ${name} ${n}`, rule })),
  ),
);
const found: string[] = [];
for (const { name, rule } of [{ name: 'planted', rule: PLANTED }, ...rules].filter(({ name }) => only.test(name))) {
  milliseconds(rule, 'The cat sat on the mat. It was 12 percent.');
  for (const unit of units) {
    for (const frame of FRAMES.slice(0, frames)) {
      const text = hostile(unit, frame, length);
      if (milliseconds(rule, text) < floor) continue;
      const short = least(rule, text);
      if (short < floor) continue;
      const takes = (times: number, most: number) => {
        const longer = hostile(unit, frame, times * length);
        return milliseconds(rule, longer) > most * short && least(rule, longer) > most * short;
      };
      if (takes(4, DOUBTFUL) && takes(8, MOST)) {
        found.push(`${name} ${JSON.stringify(unit)}: ${short.toFixed(0)} ms for ${length} characters`);
      }
    }
  }
}
process.stdout.write(JSON.stringify({ found, rules: rules.length, seconds: process.cpuUsage().user / 1e6 }));
