/** The address of a server, to be shown to people. */
export function withoutPassword (address: string): string {
  const url = new URL(address)
  if (url.password !== '') url.password = '***'
  return url.href
}
