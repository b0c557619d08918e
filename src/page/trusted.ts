/** As much as is used here of the browser's trusted types, which not every browser has. */
interface Policy {
  createHTML(markup: string): string;
  createScriptURL(address: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes; // TypeScript does not know it
const rules: Policy = {
  createHTML: (markup) => markup,
  createScriptURL(address) {
    if (new URL(address).origin !== location.origin) throw new TypeError('a script of another origin');
    return address;
  },
};
const policy = factory?.createPolicy('tessera', rules) ?? rules;

/** The two ways in which text becomes more than text: the browser refuses every other. */
export const trusted = {
  /** Markup as a document of its own, whose scripts never run and which is never shown. */
  parse(markup: string): Document {
    return new DOMParser().parseFromString(policy.createHTML(markup), 'text/html');
  },
  /** The address of a script of this origin. */
  scriptAddress: (address: string): string => policy.createScriptURL(address),
};
