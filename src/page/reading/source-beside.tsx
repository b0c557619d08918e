import { useMemo } from 'preact/hooks';
import { quotesFrom } from '../../client/cited-quotes.ts';
import { useMedia } from '../parts/use-media.ts';
import { Dialog } from './dialog.tsx';
import { useReading } from './reading.ts';
import { SourcePanel } from './source-panel.tsx';
import './source.css';

/** Room for a text and its source side by side, as in `read.css`. */
const WIDE = '(min-width: 62rem)';

/** The source that is open: beside the text where there is room, and over it elsewhere. */
export function SourceBeside() {
  const { digest, documentOf, opened, goTo, close } = useReading();
  const isWide = useMedia(WIDE);
  const document = opened?.citation.document ?? null;
  const cited = useMemo(() => (document === null ? [] : quotesFrom(digest, document)), [digest, document]);
  if (opened === null || document === null) {
    if (!isWide || digest.sources.length === 0) return null;
    return (
      <aside class="read-aside" aria-label="Source">
        <p class="empty">
          Press a number such as <strong>[1]</strong> in the text, and the document opens here at the very words that it
          goes by.
        </p>
      </aside>
    );
  }
  const known = documentOf(document);
  const panel = (
    <SourcePanel
      key={document}
      digest={digest.id}
      document={known}
      picked={opened.citation.quote}
      cited={cited}
      opening={opened.opening}
      onPick={(quote) => goTo({ document, quote })}
      onClose={close}
    />
  );
  if (!isWide) {
    return (
      <Dialog class="read-sheet" label={`Source: ${known.name}`} onClose={close}>
        {panel}
      </Dialog>
    );
  }
  return (
    <aside
      class="read-aside read-aside-open"
      aria-label={`Source: ${known.name}`}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      {panel}
    </aside>
  );
}
