/** Experiment */
export function ExperimentView(_: { readonly experiment: string }) {
  return <h1>Experiment</h1>;
}
