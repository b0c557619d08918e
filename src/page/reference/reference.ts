import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

interface Operation {
  readonly description?: string;
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const contract: Contract = await (await fetch('/openapi.json')).json();
// No requests to other hosts: no validator, no fonts. The page's policy forbids them as well.
SwaggerUI({
  dom_id: '#reference',
  spec: { ...contract, paths: mapValues(contract.paths, (operations) => mapValues(operations, withSamples)) },
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
});

function withSamples({ description = '', ...operation }: Operation): Operation {
  const samples = operation['x-codeSamples']?.map(({ source }) => `\n\n\`\`\`ts\n${source}\n\`\`\``) ?? [];
  return { ...operation, description: description + samples.join('') };
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
