import { keyOfCitation, type Marker } from '../../client/index.ts';
import { day, shortened } from '../parts/words.ts';
import { useReading } from './reading.ts';

/** Max characters of a quote beside its marker. */
const MAX = 320;

/** A citation marker. Pointing at it shows the quote, a press opens the source. */
export function CitationButton({ marker: { citation, name } }: { readonly marker: Marker }) {
  const { documentOf, opened, open } = useReading();
  const { document, quote } = citation;
  const source = documentOf(document);
  const isOpen = opened !== null && keyOfCitation(opened) === keyOfCitation(citation);
  const said = `“${shortened(quote.text, MAX)}”`;
  return (
    <button
      type="button"
      class="read-citation"
      aria-label={`Source ${name}: ${source.name}, quote ${said}`}
      title={`${source.name}${source.publishedAt === null ? '' : `, ${day(source.publishedAt)}`}\n${said}`}
      aria-pressed={isOpen}
      data-document={document}
      data-start={quote.start}
      onClick={({ currentTarget }) => open(citation, currentTarget)}
    >
      {name}
    </button>
  );
}
