import { DocumentFacts } from './document-facts.tsx';
import { EngineFacts } from './engine-facts.tsx';
import { MetricFacts } from './metric-facts.tsx';
import { SelectionFacts } from './selection-facts.tsx';
import { SourceList } from './source-list.tsx';
import type { StoredDigest } from './stored-digest.ts';
import './facts.css';

/** How a digest came about: its sources and figures, and what made it. */
export function Facts(stored: StoredDigest) {
  return (
    <section class="read-facts" aria-labelledby="read-facts">
      <h2 id="read-facts">Behind this digest</h2>
      <SourceList />
      <DocumentFacts {...stored} />
      <MetricFacts {...stored} />
      <EngineFacts {...stored} />
      <SelectionFacts {...stored} />
    </section>
  );
}
