import { type Database, readRunning } from '../../store/index.ts';
import type { ExperimentDefinition } from './experiment.ts';
import { LayerTakenError } from './layer-taken-error.ts';
import { definitionOf } from './read-experiment.ts';

/**
 * Refuses a part of a layer that another running experiment uses.
 *
 * @throws LayerTakenError with the other's key
 */
export async function checkLayer(
  database: Database,
  { key, layer }: Pick<ExperimentDefinition, 'key' | 'layer'>,
): Promise<void> {
  if (layer === null) return;
  for (const running of (await readRunning(database)).map(definitionOf)) {
    const { layer: other } = running;
    if (running.key === key || other?.key !== layer.key) continue;
    if (other.from < layer.to && layer.from < other.to) throw new LayerTakenError(running.key);
  }
}
