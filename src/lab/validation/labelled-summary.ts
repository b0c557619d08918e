/** How far people, or a model, found an insight covered. */
export type Level = 0 | 0.5 | 1;

/** An insight with what people say of it. */
interface LabelledInsight {
  readonly text: string;
  readonly human: Level;
  /** Place of the bullet in which people found it, from 0; null where in none. */
  readonly bullet: number | null;
  /** What models say that judged before, by name. */
  readonly models?: Readonly<Record<string, Level>> | undefined;
}

/** A summary whose coverage of insights people judged. */
export interface LabelledSummary {
  readonly id?: string | undefined;
  readonly system?: string | undefined;
  readonly topic?: string | undefined;
  readonly bullets: readonly string[];
  readonly insights: readonly LabelledInsight[];
}
