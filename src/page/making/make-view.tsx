/** New digest */
export function MakeView() {
  return <h1>New digest</h1>;
}
