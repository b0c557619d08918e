import { behavesOn } from './behaviour.ts';
import { startNode } from './node-runtime.ts';

behavesOn('node', startNode);
