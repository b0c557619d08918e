// By its path: its name leads here in tests (vitest.config.ts).
import * as fastCheck from '../../node_modules/fast-check/lib/fast-check.js';

// The same cases in every run; TESSERA_TEST_SEED tries others.
fastCheck.configureGlobal({ seed: Number(process.env.TESSERA_TEST_SEED ?? 20_261_121) });

export * from '../../node_modules/fast-check/lib/fast-check.js';
export default fastCheck.default;
