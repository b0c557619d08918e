/** Style sheets are collected by the bundler. */
declare module '*.css';
