import { day } from '../parts/dates.ts';
import type { Stated } from './disagreement.ts';
import { useReading } from './reading.ts';

interface Side {
  /** What they say together; null where the heading says it. */
  readonly name: string | null;
  readonly stated: readonly Stated[];
}

interface SideBySideProps {
  readonly id: string;
  readonly heading: string;
  readonly sides: readonly Side[];
  readonly onClose?: () => void;
}

/** What several documents say, beside each other. */
export function SideBySide({ id, heading, sides, onClose }: SideBySideProps) {
  return (
    <section id={id} class="read-beside" aria-label={heading}>
      <p class="read-beside-head">
        <strong>{heading}</strong>
        {onClose !== undefined && (
          <button type="button" class="plain" aria-label={`Close: ${heading}`} onClick={onClose}>
            ✕
          </button>
        )}
      </p>
      <div class={sides.length > 1 ? 'read-sides' : ''}>
        {sides.map(({ name, stated }) => (
          <div key={name}>
            {name !== null && <p class="muted">{name}</p>}
            <ul class="read-cards">
              {stated.map((each) => (
                <Card
                  key={`${each.quote.start} ${each.document}`}
                  {...each}
                  isPicked={each.isPicked && sides.length === 1}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function Card({ document, quote, isPicked }: Stated) {
  const { documentOf, open } = useReading();
  const { name, number, publishedAt } = documentOf(document);
  return (
    <li class="read-card">
      <blockquote dir="auto">{quote.text}</blockquote>
      <p class="read-card-head">
        <button type="button" class="plain" onClick={({ currentTarget }) => open({ document, quote }, currentTarget)}>
          <span class="unseen">Open the source: </span>
          {number !== null && `${number}. `}
          <bdi>{name}</bdi>
        </button>
        <span class="muted">
          {publishedAt !== null && ` ${day(publishedAt)}`}
          {isPicked && ' · quoted in the digest'}
        </span>
      </p>
    </li>
  );
}
