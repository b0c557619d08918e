import { useMemo } from 'preact/hooks';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { SourceText } from '../reading/source-text.tsx';
import type { LabelService } from './ask-service.ts';
import type { Item } from './protocol.ts';

interface SourceProps {
  readonly service: LabelService;
  readonly item: Item;
}

/** The whole document of an item, scrolled to the words that are highlighted. */
export function SourceBox({ service, item }: SourceProps) {
  const [loaded, again] = useLoaded(String(item.document), () => service.document(item.document));
  const text = loaded.state === 'there' ? loaded.value.text : '';
  const quotes = useMemo(
    () => item.spans.map(({ start, end }) => ({ start, end, text: text.slice(start, end) })),
    [item, text],
  );
  return (
    <section class="ann-source" aria-labelledby="ann-source">
      <h2 id="ann-source">
        <span class="ann-label">Source</span>
        {loaded.state === 'there' && loaded.value.title}
      </h2>
      {loaded.state === 'loading' && <Loading what="the source" />}
      {loaded.state === 'failed' && <Problem failure={loaded.failure} again={again} />}
      {loaded.state === 'there' && (
        <SourceText
          key={item.id}
          text={text}
          picked={quotes[0] ?? null}
          others={quotes.slice(1)}
          label="The source, with highlighted words"
        />
      )}
    </section>
  );
}
