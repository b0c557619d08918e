import { citationCounts, quotesFrom } from '../../client/index.ts';
import { day } from '../parts/dates.ts';
import { useReading } from './reading.ts';
import { count } from './words.ts';

/** The documents that the summary cites, by their numbers; each opens at its first quote. */
export function SourceList() {
  const { digest, documentOf, open } = useReading();
  const { sources } = digest;
  if (sources.length === 0) return null;
  const counts = citationCounts(digest);
  return (
    <section aria-labelledby="read-sources">
      <h2 id="read-sources">Sources</h2>
      <ol class="read-sources">
        {sources.map(({ number, document }) => {
          const { name, publishedAt, link } = documentOf(document);
          const [quote] = quotesFrom(digest, document);
          return (
            <li key={document} value={number}>
              {quote === undefined ? (
                <bdi>{name}</bdi>
              ) : (
                <button
                  type="button"
                  class="plain"
                  onClick={({ currentTarget }) => open({ document, quote }, currentTarget)}
                >
                  <bdi>{name}</bdi>
                </button>
              )}
              <span class="muted">
                {publishedAt !== null && `${day(publishedAt)} · `}cited in{' '}
                {count(counts.get(document) ?? 0, 'sentence')}
                {link !== null && (
                  <>
                    {' · '}
                    <a href={link} target="_blank" rel="noopener noreferrer">
                      {new URL(link).host}
                      <span class="unseen"> (opens in a new tab)</span>
                    </a>
                  </>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
