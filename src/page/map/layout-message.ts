/** What the layout thread is asked for. */
export interface LayoutOrder {
  /** Coordinates, point after point. */
  readonly vectors: Float64Array;
  readonly points: number;
  /** The picture to begin from: x and y, point after point. */
  readonly start: Float64Array;
  readonly perplexity: number;
  readonly iterations: number;
}

/** What the layout thread tells. */
export interface LayoutNews {
  /** How many iterations lie behind it. */
  readonly iteration: number;
  /** x and y, point after point. */
  readonly layout: Float64Array;
}
