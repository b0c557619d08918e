import { JUDGES, type JudgeRequest } from '../evaluation/index.ts';
import { DIMENSIONS, type Dimension } from '../lab/index.ts';
import { UsageError } from './command.node.ts';

/** @throws UsageError for an unknown judge, or an option that it does not have */
export function judgeRequest({
  judge: name = 'embedded',
  encoder,
  model,
}: Readonly<Partial<Record<'judge' | 'encoder' | 'model', string | undefined>>>): JudgeRequest {
  const judge = JUDGES.find((each) => each === name);
  if (judge === undefined) throw new UsageError(`--judge is ${JUDGES.join(' or ')}, not "${name}".`);
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
