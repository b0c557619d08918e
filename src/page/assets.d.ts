/** Style sheets are collected by the bundler. */
declare module '*.css';

declare module '*.txt' {
  const text: string;
  export default text;
}
