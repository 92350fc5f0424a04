import { Type } from '@sinclair/typebox'
import { isIP } from 'node:net'
import { InvalidConfigurationError } from '../errors.ts'
import { itemsOf } from './texts.ts'

/** The variable that names the proxies in front of the hub. */
export const proxyVariables = {
  LINKER_TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Addresses or networks of the proxies in front of the hub, comma-separated: the hub believes the ' +
      '`X-Forwarded-For` that they send'
  })
}

/** Returns the addresses and networks of a list. Throws `LNK_CONFIG_INVALID` for any other text. */
export function readTrustedProxies (list: string): string[] {
  const proxies = itemsOf(list)
  const wrong = proxies.find(proxy => !isNetwork(proxy))
  if (wrong === undefined) return proxies
  throw new InvalidConfigurationError(`LINKER_TRUSTED_PROXIES: '${wrong}' is neither an IP address nor a network ` +
    'such as 10.0.0.0/8')
}

function isNetwork (text: string): boolean {
  const [address = '', bits = '32', ...more] = text.split('/')
  const version = isIP(address)
  const mostBits = version === 4 ? 32 : 128
  return version !== 0 && more.length === 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= mostBits
}
