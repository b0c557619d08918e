import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

// No requests to other hosts: no validator, no fonts. The page's policy forbids them as well.
SwaggerUI({
  dom_id: '#reference',
  url: '/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
});
