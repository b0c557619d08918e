import { createClient } from 'tessera/client';

// Do readers open more sources when digests are short? From the definition to the verdict, with simulated readers.
const { TESSERA_URL = 'http://localhost:8787', TESSERA_KEY } = process.env;
const { digests, experiments } = createClient({ baseUrl: TESSERA_URL, apiKey: TESSERA_KEY });
const key = process.argv[2] ?? 'short-digests';

await experiments.create({
  key,
  hypothesis: 'Readers open more sources when digests are short.',
  status: 'running',
  variants: [
    { name: 'control', weight: 0.5 },
    { name: 'short', weight: 0.5, options: { summary: { format: 'brief' } } },
  ],
  metrics: [{ key: 'source-opened', type: 'binomial', direction: 'increase', minimumEffect: 0.1 }],
});

// A digest that names its reader is made with the options of the reader's variant, and counts as an exposure.
const documents = [{ id: 'report', text: 'Sick days fell by 21 percent. Overtime rose by 6 percent.' }];
const { experiment } = await digests.create({ documents, experiment: { key, subject: 'reader-0' } });
console.log(`reader-0 sees "${experiment.variant}"`);

// An app that makes the difference itself records the exposure when it shows it.
const opened = [];
for (let reader = 1; reader < 400; reader++) {
  const subject = `reader-${reader}`;
  const { variant } = await experiments.expose(key, subject);
  if (opensSource(reader, variant)) opened.push({ eventId: `open-${reader}`, subject, metric: 'source-opened' });
}
const { accepted } = await experiments.recordOutcomes(key, opened);
console.log(`${accepted} of 400 readers opened a source`);

const { verdict, conclusion } = await experiments.results(key);
console.log(`${verdict}: ${conclusion}`);
await experiments.stop(key);

/** The simulated reader: half of those with a short digest open a source, a quarter of the others. */
function opensSource(reader, variant) {
  return reader % 4 < (variant === 'short' ? 2 : 1);
}
