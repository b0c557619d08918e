import { type EncoderSpecs, type EncoderTransport, readEncoderSpecs } from '../../../src/models/index.ts';

/** Three attempts without waits; what was waited for is written down. */
export function quickTransport(): EncoderTransport & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    callMilliseconds: 4000,
    attempts: 3,
    random: () => 0.5,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
    waits,
  };
}

/** Specs as TESSERA_ENCODERS gives them. */
export function specsOf(
  written: Readonly<Record<string, object>>,
  environment: Readonly<Record<string, string>> = {},
): EncoderSpecs {
  const read = readEncoderSpecs({ TESSERA_ENCODERS: JSON.stringify(written), ...environment });
  if ('problem' in read) throw new Error(read.problem);
  return read.specs;
}
