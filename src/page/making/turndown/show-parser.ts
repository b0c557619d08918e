import { hidden } from './hidden.ts';

if (hidden.parser !== undefined) Object.defineProperty(globalThis, 'DOMParser', hidden.parser);
