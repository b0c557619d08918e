/** As much as is used here of the browser's trusted types, which not every browser has. */
interface Policy {
  createScriptURL(address: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy;
}

const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes; // TypeScript does not know it
const rules: Policy = {
  createScriptURL(address) {
    if (new URL(address).origin !== location.origin) throw new TypeError('a script of another origin');
    return address;
  },
};
const policy = factory?.createPolicy('tessera', rules) ?? rules;

/** The address of a script of this origin, the only text that becomes code or markup: the browser refuses any other. */
export function trustedScript(address: string): string {
  return policy.createScriptURL(address);
}
