/** Side by side */
export function CompareView(_: { readonly left: string | null; readonly right: string | null }) {
  return <h1>Side by side</h1>;
}
