import type { AnnotatedSource, Decided, NewLabel, Refusal, Session } from '../../contract/index.ts';

/** What serves the page, as the page asks it. */
export interface LabelService {
  session(): Promise<Session>;
  labelsOf(annotator: string): Promise<readonly Decided[]>;
  document(place: number): Promise<AnnotatedSource>;
  save(label: NewLabel): Promise<void>;
}

/** @param token what follows # in the address that was printed */
export function labelService(token: string): LabelService {
  const documents = new Map<number, Promise<AnnotatedSource>>();

  async function ask(path: string, sent?: NewLabel): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(sent && { 'content-type': 'application/json' }) };
    const posted = sent && { method: 'POST', body: JSON.stringify(sent) };
    const answer = await fetch(path, { headers, ...posted }).catch(() => {
      throw new Error(
        'The command that serves this page does not answer. Start it again and open the address it prints.',
      );
    });
    if (answer.ok) return answer;
    // Whatever is served here refuses in this form.
    const { detail } = (await answer.json()) as Refusal;
    throw new Error(detail);
  }

  /** What is served here has the form that it is asked for. */
  async function read<Form>(path: string): Promise<Form> {
    return (await (await ask(path)).json()) as Form;
  }

  return {
    session: () => read<Session>('/api/session'),
    labelsOf: (annotator) => read<Decided[]>(`/api/labels?annotator=${encodeURIComponent(annotator)}`),
    document(place) {
      const found = documents.get(place) ?? read<AnnotatedSource>(`/api/documents/${place}`);
      documents.set(place, found);
      // What failed is asked for again.
      found.catch(() => documents.delete(place));
      return found;
    },
    async save(label) {
      await ask('/api/labels', label);
    },
  };
}
