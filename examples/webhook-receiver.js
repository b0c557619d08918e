import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

// Receives a message for each digest that ends. TESSERA_WEBHOOK_SECRET is what `tessera webhooks secret` prints.
const { TESSERA_WEBHOOK_SECRET, PORT = '8090' } = process.env;
const webhook = new Webhook(TESSERA_WEBHOOK_SECRET);
const seen = new Set(); // a message may arrive twice, with the same id; a real receiver keeps the ids in its database

const server = createServer(async (request, response) => {
  try {
    // Checked over the bytes as they came: JSON that is parsed and written again has another signature.
    const body = await text(request);
    const message = verified(body, request.headers);
    if (message === null) return response.writeHead(400).end('wrong signature');
    const id = request.headers['webhook-id'];
    if (!seen.has(id)) console.log(`${message.type} ${message.data.id}`);
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(); // Tessera sends it again later
  }
});

/** The message; null where it is not signed with the secret, or is older than five minutes. */
function verified(body, headers) {
  try {
    webhook.verify(body, headers);
  } catch {
    return null;
  }
  return JSON.parse(body);
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
