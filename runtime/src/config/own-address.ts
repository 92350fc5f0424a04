// A server can listen on these addresses, but a client cannot connect to them.
const everywhere: ReadonlyMap<string, string> = new Map([['0.0.0.0', '127.0.0.1'], ['::', '::1']])

/** The address at which clients on the same machine reach a hub. */
export function ownAddress ({ host: given, port }: { host: string, port: number }): string {
  return httpAddress(everywhere.get(given) ?? given, port)
}

export function httpAddress (host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
