/** The address to which the platform sends the webhooks of a connection; it ends like this. */
export function webhookPath ({ id, platformType }: { id: string, platformType: string }): string {
  return `/webhooks/${platformType}/${id}`
}

/** The whole address. Undefined: the connection does not know the public address of the hub. */
export function webhookAddress (connection: {
  id: string,
  platformType: string,
  config: Readonly<Record<string, unknown>>
}): string | undefined {
  const { callbackBaseUrl } = connection.config
  const url = typeof callbackBaseUrl === 'string' ? URL.parse(callbackBaseUrl) : null
  return url === null ? undefined : url.origin + url.pathname.replace(/\/+$/, '') + webhookPath(connection)
}
