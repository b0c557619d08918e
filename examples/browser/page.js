import { createClient } from './tessera-client.js';

// Shows each sentence as soon as it is ready; a sentence's quotes appear when the pointer rests on it.
const tessera = createClient({ baseUrl: location.origin });
const [form, list, status] = ['form', 'ol', '[role=status]'].map((selector) => document.querySelector(selector));

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { text, intent } = Object.fromEntries(new FormData(form));
  list.replaceChildren();
  status.textContent = 'Reading …';
  try {
    const events = tessera.digests.stream({ documents: [{ id: 'document', text }], intent });
    for await (const { event, data } of events) {
      if (event === 'sentence') show(data);
      if (event === 'digest') status.textContent = `Answered: ${data.intent.answered}`;
    }
  } catch (error) {
    status.textContent = error.message;
  }
});

function show({ text, citations }) {
  const item = document.createElement('li');
  item.textContent = text; // never as HTML: it is a document's own wording
  item.title = citations.map(({ quote }) => `“${quote.text}”`).join('\n');
  list.append(item);
}
