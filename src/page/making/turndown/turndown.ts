// Modules run in this order, and nothing else runs between them.
import './hide-parser.ts';
import TurndownService from 'turndown';
import './show-parser.ts';

export { TurndownService };
