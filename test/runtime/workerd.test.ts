import { behavesOn } from './behaviour.ts';
import { startWorkerd } from './workerd-runtime.ts';

behavesOn('workerd', startWorkerd);
