import { hrefOf, type Route } from './route.ts';

const WAYS: readonly { readonly name: string; readonly text: string; readonly go: string; readonly route: Route }[] = [
  {
    name: 'Map',
    text: 'Shows every key point of a digest as a dot, with similar ones close together. You see what was left out and why, and can try other settings.',
    go: 'Choose a digest',
    route: { view: 'digests' },
  },
  {
    name: 'Compare',
    text: 'Makes two digests of the same documents with different settings and sets them side by side. You see which key points they share and which only one has.',
    go: 'Compare two digests',
    route: { view: 'compare', left: null, right: null },
  },
  {
    name: 'Experiments',
    text: 'Gives some of your readers one kind of digest and the others another. The results say which kind works better, and when there is enough data to tell.',
    go: 'See experiments',
    route: { view: 'experiments' },
  },
];

/** What teams look into digests with. */
export function AnalyseView() {
  return (
    <>
      <h1>Analyse</h1>
      <ul class="cards">
        {WAYS.map(({ name, text, go, route }) => (
          <li key={name} class="panel">
            <h2>{name}</h2>
            <p>{text}</p>
            <a class="button" href={hrefOf(route)}>
              {go}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
