/** What is hidden while turndown is loaded. */
export const hidden: { parser: PropertyDescriptor | undefined } = { parser: undefined };
