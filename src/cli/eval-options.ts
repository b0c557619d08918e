import { JUDGES, type JudgeName, type JudgeRequest } from '../evaluation/index.ts';
import { DIMENSIONS, type Dimension } from '../lab/index.ts';
import { UsageError } from './command.node.ts';

interface JudgeFlags {
  readonly judge?: string | undefined;
  readonly encoder?: string | undefined;
  readonly model?: string | undefined;
}

/** @throws UsageError for an unknown judge, or an option that it does not have */
export function judgeRequest({ judge = 'embedded', encoder, model }: JudgeFlags): JudgeRequest {
  if (!isJudge(judge)) throw new UsageError(`--judge is ${JUDGES.join(' or ')}, not "${judge}".`);
  if (judge === 'embedded' && model !== undefined) throw new UsageError('--model needs --judge llm.');
  if (judge === 'llm' && encoder !== undefined) throw new UsageError('--encoder needs --judge embedded.');
  return { judge, engine: { ...(encoder !== undefined && { encoder }), ...(model !== undefined && { model }) } };
}

/**
 * Dimensions for breaking tables down. `system` is dropped, as every table has it.
 * @param by comma-separated lists, joined
 * @throws UsageError for unknown dimensions
 */
export function dimensionsOf(by: readonly string[] = []): Dimension[] {
  const names = by.flatMap((list) => list.split(',')).map((name) => name.trim());
  const wanted = [...new Set(names)].filter((name) => name !== '' && name !== 'system');
  return wanted.map((name) => {
    const dimension = DIMENSIONS.find((each) => each === name);
    if (dimension === undefined) throw new UsageError(`--by takes system, ${DIMENSIONS.join(', ')}, not "${name}".`);
    return dimension;
  });
}

/** @throws UsageError unless a whole number of at least 1 */
export function limitOf(limit: string | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new UsageError(`--limit is a whole number from 1, not "${limit}".`);
  return Number(limit);
}

function isJudge(name: string): name is JudgeName {
  return JUDGES.some((each) => each === name);
}
