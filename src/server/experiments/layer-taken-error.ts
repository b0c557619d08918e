import { TesseraError } from '../../text/index.ts';

/** Another experiment runs in this part of the layer: some subjects would take part in both. */
export class LayerTakenError extends TesseraError {
  readonly code = 'layer-taken';
  override readonly pointer = '/layer';
  /** Key of the other experiment. */
  readonly other: string;

  constructor(other: string) {
    super(`The experiment "${other}" runs in this part of the layer.`);
    this.other = other;
  }
}
