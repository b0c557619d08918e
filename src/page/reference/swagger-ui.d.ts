/** The part of the package that is used here; it ships no declarations. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUI(configuration: Readonly<Record<string, unknown>>): unknown;
}
