import { InvalidConfigurationError } from '../errors.ts'

/** A primary of Redis, and the Sentinels that know where it is. */
export interface SentinelUrl {
  sentinels: { host: string, port: number }[]
  name: string
  db: number
  username?: string
  password?: string
  sentinelUsername?: string
  sentinelPassword?: string
  /** Whether Redis and the Sentinels are reached over TLS. */
  usesTls: boolean
}

const scheme = /^rediss?\+sentinel:/
const form =
  new RegExp(scheme.source + String.raw`//(?:(?<user>[^\s/?#@:]*)(?::(?<secret>[^\s/?#@]*))?@)?(?<hosts>[^\s/?#@]+)` +
    String.raw`/(?<name>[^\s/?#]+)(?:\?(?<query>[^\s#]*))?$`)
const defaultPort = 26_379

/** Reads `redis+sentinel://…`. Returns undefined for an address of another scheme. */
export function readSentinelUrl (url: string): SentinelUrl | undefined {
  if (!scheme.test(url)) return undefined
  try {
    return parse(url)
  } catch (error) {
    // The reason stays inside: it may quote the password.
    throw new InvalidConfigurationError(
      'REDIS_URL with Sentinels must be redis+sentinel://[user:password@]host[:port],host[:port]/name and may end ' +
        'with ?db=0&sentinelUsername=user&sentinelPassword=password. Percent-encode what is no letter or digit',
      { cause: error }
    )
  }
}

/** Names a primary by its Sentinels. */
export function describePrimary ({ name, sentinels }: {
  name: string,
  sentinels: readonly Partial<SentinelUrl['sentinels'][number]>[]
}): string {
  return `the primary '${name}' of ${sentinels.map(({ host, port }) => `${host}:${port}`).join(', ')}`
}

function parse (url: string): SentinelUrl {
  const { user = '', secret = '', hosts = '', name = '', query = '' } = form.exec(url)?.groups ?? {}
  const { db = '0', sentinelUsername, sentinelPassword, ...unknown } = Object.fromEntries(new URLSearchParams(query))
  if (name === '' || !/^\d+$/.test(db) || Object.keys(unknown).length > 0) throw new TypeError('another form')
  const texts = {
    username: decodeURIComponent(user),
    password: decodeURIComponent(secret),
    sentinelUsername,
    sentinelPassword
  }
  return {
    sentinels: hosts.split(',').map(readHost),
    name: decodeURIComponent(name),
    db: Number(db),
    ...Object.fromEntries(Object.entries(texts).filter(([, text = '']) => text !== '')),
    usesTls: url.startsWith('rediss')
  }
}

function readHost (text: string): { host: string, port: number } {
  const { hostname, port } = new URL(`redis://${text}`)
  // The brackets belong to the address in a URL, not to IPv6.
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  if (host === '') throw new TypeError('a host is missing')
  return { host, port: port === '' ? defaultPort : Number(port) }
}
