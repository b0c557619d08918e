import type { Format, SummarySentence } from '../contract/index.ts';

/** Where a sentence is wanted: what belongs together has the same number, or the same label. */
export interface Wanted {
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
  private before: Wanted | null = null;

  constructor(format: Format) {
    this.format = format;
  }

  place(sentence: SummarySentence, wanted: Wanted): SummarySentence {
    if (this.format === 'brief') return { ...sentence, paragraph: 0 };
    const isItem = wanted.item !== undefined || (this.format === 'bullets' && !sentence.framing);
    const { before } = this;
    const isSameItem = before !== null && isItem && wanted.item !== undefined && wanted.item === before.item;
    if (!this.goesOn(wanted, isItem)) {
      this.paragraph++;
      this.item = undefined;
    }
    if (!isItem) this.item = undefined;
    else if (this.item === undefined) this.item = 0;
    else if (!isSameItem) this.item++;
    this.before = wanted;
    const { paragraph, item } = this;
    if (item === undefined) return { ...sentence, paragraph };
    return { ...sentence, paragraph, item, ...(wanted.label !== undefined && { label: wanted.label }) };
  }

  /** Whether a sentence belongs to the paragraph of the one before: a list ends with its last item, or its label. */
  private goesOn(wanted: Wanted, isItem: boolean): boolean {
    const { before } = this;
    if (before === null || wanted.label !== before.label) return false;
    if (this.item !== undefined && !isItem) return false;
    if (this.format !== 'bullets') return wanted.paragraph === before.paragraph;
    return isItem ? this.item !== undefined : wanted.paragraph === before.paragraph;
  }
}
