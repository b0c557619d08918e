import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { PageFiles } from '../../../server/routes/page-routes.ts';
import { UsageError } from '../../cli/usage-error.ts';

/** What `npm run build:page` writes for annotators. */
const FOLDER = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../../dist/page/annotate' : '../../../page/annotate',
    import.meta.url,
  ),
);

/**
 * The files of the page for annotators, compressed as they were built where the browser takes that.
 *
 * @throws UsageError where it was never built
 */
export function annotationPageFiles(): PageFiles {
  if (!existsSync(`${FOLDER}/index.html`)) throw new UsageError('The page is not there yet: npm run build makes it.');
  return serveStatic({ root: FOLDER, precompressed: true });
}
