import { hidden } from './hidden.ts';

// When it is loaded, turndown tries the browser's parser on a text, which the policy for trusted types refuses, and tells
// whoever reads the console. It is given elements only: without a parser it does as well.
hidden.parser = Object.getOwnPropertyDescriptor(globalThis, 'DOMParser');
Reflect.deleteProperty(globalThis, 'DOMParser');
