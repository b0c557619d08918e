/** An address as a log may show it: without the credentials and the query, where some servers want their keys. */
export function shownAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}
