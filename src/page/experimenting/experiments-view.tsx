/** Experiments */
export function ExperimentsView() {
  return <h1>Experiments</h1>;
}
