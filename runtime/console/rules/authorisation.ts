interface FormSchema {
  properties?: Readonly<Record<string, unknown>>
  examples?: readonly unknown[]
}

export interface Redirect {
  /** The member of the form that names the address. */
  member: string
  /** The address to register at the platform, at the host of this page. */
  address: string
}

/**
 * The address to which the platform sends the browser back. The adapter says it by an example of
 * its form: an address whose path is one of its own routes.
 */
export function redirectOf (schema: FormSchema, routes: readonly string[], origin: string): Redirect | undefined {
  const paths = routes.flatMap(route => route.startsWith('GET ') ? [route.slice('GET '.length)] : [])
  for (const example of schema.examples ?? []) {
    for (const [member, value] of Object.entries(example ?? {})) {
      const path = typeof value === 'string' ? URL.parse(value)?.pathname : undefined
      if (path === undefined || schema.properties?.[member] === undefined) continue
      if (paths.some(known => path.endsWith(known))) return { member, address: origin + path }
    }
  }
  return undefined
}

/** Why the browser would come back to a page where nobody is signed in. */
export function redirectWarning (
  given: unknown,
  { origin, publicUrl }: { origin: string, publicUrl: string | null }
): string | undefined {
  const address = typeof given === 'string' ? URL.parse(given) : null
  if (address === null) return undefined
  if (address.origin !== origin) {
    return `The browser comes back to ${address.host}, and this page is at ${URL.parse(origin)?.host ?? origin}: ` +
      'you are not signed in there. Open the console at that address, or register the address of this page.'
  }
  const known = publicUrl === null ? null : URL.parse(publicUrl)
  if (known !== null && known.origin !== origin) {
    return `The hub knows itself as ${known.host}. If that address is registered at the platform, open the console ` +
      'there.'
  }
  return undefined
}

/** Whether the hub refused a body only because it has no member for the way back. */
export function refusesReturn (errors: readonly { pointer: string }[] | undefined, member: string): boolean {
  return errors?.some(({ pointer }) => pointer.split('/').includes(member)) === true
}

/** The page to open for an authorisation, from what the adapter answered. */
export function pageToOpen (answer: unknown): string | undefined {
  const { authorizationUrl } = (answer ?? {}) as { authorizationUrl?: unknown }
  const address = typeof authorizationUrl === 'string' ? URL.parse(authorizationUrl) : null
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined
}
