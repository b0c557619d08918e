import type { Format, SummarySentence } from '../contract/index.ts';

/** Where a sentence is wanted: what belongs together has the same number, or the same label. */
export interface Position {
  readonly paragraph: number;
  /** Absent outside lists. */
  readonly item?: number | undefined;
  readonly label?: string | undefined;
}

/**
 * Gives sentences that come one by one, in their order, their places in the layout of a format, so that what is told while a
 * text is written stands where it will stand in the end. In `bullets` a cited sentence is an item of its own unless it is
 * wanted in one with others; a `brief` is one paragraph without lists.
 */
export class Layout {
  private readonly format: Format;
  private paragraph = -1;
  private item: number | undefined;
  private before: Position | null = null;

  constructor(format: Format) {
    this.format = format;
  }

  place(sentence: SummarySentence, position: Position): SummarySentence {
    if (this.format === 'brief') return { ...sentence, paragraph: 0 };
    const isItem = position.item !== undefined || (this.format === 'bullets' && !sentence.framing);
    const { before } = this;
    const isSameItem = before !== null && isItem && position.item !== undefined && position.item === before.item;
    if (!this.goesOn(position, isItem)) {
      this.paragraph++;
      this.item = undefined;
    }
    if (!isItem) this.item = undefined;
    else if (this.item === undefined) this.item = 0;
    else if (!isSameItem) this.item++;
    this.before = position;
    const { paragraph, item } = this;
    if (item === undefined) return { ...sentence, paragraph };
    return { ...sentence, paragraph, item, ...(position.label !== undefined && { label: position.label }) };
  }

  /** Whether a sentence belongs to the paragraph of the one before: a list ends with its last item, or its label. */
  private goesOn(position: Position, isItem: boolean): boolean {
    const { before } = this;
    if (before === null || position.label !== before.label) return false;
    if (this.item !== undefined && !isItem) return false;
    if (this.format !== 'bullets') return position.paragraph === before.paragraph;
    return isItem ? this.item !== undefined : position.paragraph === before.paragraph;
  }
}
