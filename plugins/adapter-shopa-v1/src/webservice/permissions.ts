/** The methods that a key may use, by resource. */
export type Permissions = ReadonlyMap<string, ReadonlySet<string>>

const element = /<([a-z_]+)((?:\s+[\w:]+="[^"]*")*)\s*\/?>/g
const permitted = /\s(get|head|post|put|patch|delete)="true"/g

/** Reads the listing at the root of the webservice; `undefined` for any other document. */
export function parsePermissions (xml: string): Permissions | undefined {
  const found = new Map<string, ReadonlySet<string>>()
  for (const [, name = '', attributes = ''] of xml.matchAll(element)) {
    const methods = [...attributes.matchAll(permitted)].map(([, method = '']) => method.toUpperCase())
    if (methods.length > 0) found.set(name, new Set(methods))
  }
  return found.size === 0 ? undefined : found
}
