/** Style sheets are collected by the bundler. */
declare module '*.css';

/** The bundler puts text files in as strings. */
declare module '*.txt' {
  const text: string;
  export default text;
}
