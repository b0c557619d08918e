import { fileURLToPath } from 'node:url';
import { serveStatic } from '@hono/node-server/serve-static';
import type { PageFiles } from '../../routes/page-routes.ts';

/** What `npm run build:page` writes. */
const FOLDER = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../../dist/page' : '../../../page', import.meta.url));

/** The files of the page, compressed as they were built where the browser takes that. */
export function pageFiles(): PageFiles {
  return serveStatic({ root: FOLDER, precompressed: true });
}
