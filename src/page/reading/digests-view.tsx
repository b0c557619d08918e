/** Digests */
export function DigestsView() {
  return <h1>Digests</h1>;
}
