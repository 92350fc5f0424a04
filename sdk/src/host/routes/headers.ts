/** Headers of a request that the hub never gives to an adapter: they hold the caller's token. */
export const withheldHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])
