import { day } from '../parts/dates.ts';
import type { Stated } from './corroboration.ts';
import { useReading } from './reading.ts';

interface SideBySideProps {
  readonly id: string;
  readonly heading: string;
  readonly stated: readonly Stated[];
  readonly onClose?: () => void;
}

/** What several documents say, beside each other. */
export function SideBySide({ id, heading, stated, onClose }: SideBySideProps) {
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
      <ul class="read-cards">
        {stated.map((each) => (
          <Card key={`${each.quote.start} ${each.document}`} {...each} />
        ))}
      </ul>
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
