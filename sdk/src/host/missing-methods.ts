import { requiredMethods } from '../capabilities/capabilities.ts'

/** Lists the required methods that a capability object lacks. */
export function missingMethods (capability: string, implementation: object): string[] {
  const required = new Map<string, readonly string[]>(Object.entries(requiredMethods)).get(capability) ?? []
  const members = new Map<string, unknown>(Object.entries(implementation))
  return required.filter(method => typeof members.get(method) !== 'function')
}
