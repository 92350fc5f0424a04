import ipaddr from 'ipaddr.js'
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { ConfigurationError } from '../errors.ts'

/** Resolves a name to all its addresses. Default: `dns.lookup`. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void
) => void

export interface AddressPolicyOptions {
  /**
   * The operator's CIDRs (`outbound.allow`): the hub may connect to them although they are not
   * public.
   */
  allow: readonly string[]
  resolve?: ResolveAll
}

/**
 * Decides which addresses the hub may connect to: public ones, and those that the operator allows.
 */
export interface AddressPolicy {
  /**
   * Returns the class of a refused address (`loopback`, `private` …), `undefined` for an allowed
   * one.
   */
  refusedClass(address: string): string | undefined
  /**
   * Throws the `ConfigurationError` that names the class of a refused address and the setting that
   * allows it.
   */
  assertAllowed(hostname: string, address: string): void
  /**
   * For `net.connect`: answers only when every address of the name is allowed, so the connection
   * goes to a checked address.
   */
  lookup: LookupFunction
}

/**
 * Decides by IP address, never by name: a name may resolve differently between a check and the
 * connection.
 */
export function createAddressPolicy (options: AddressPolicyOptions): AddressPolicy {
  const allowed = options.allow.map(parseCidr)
  const resolve = options.resolve ?? systemLookup

  function refusedClass (address: string) {
    if (!ipaddr.isValid(address)) return 'not an IP address'
    const parsed = ipaddr.parse(address)
    const candidates = [parsed, ipaddr.process(address)]
    if (candidates.some(candidate => allowed.some(cidr => isWithin(candidate, cidr)))) return undefined
    return classOf(parsed)
  }

  function assertAllowed (hostname: string, address: string) {
    const refused = refusedClass(address)
    if (refused === undefined) return
    const bits = address.includes(':') ? 128 : 32
    const of = hostname === address ? '' : ` of ${hostname}`
    throw new ConfigurationError(`address ${address}${of} is refused (${refused}); ` +
      `to allow it, add ${address}/${bits} to outbound.allow in linker.config.json`)
  }

  const lookup: LookupFunction = (hostname, { all, ...lookupOptions }, callback) => {
    resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (first === undefined) return callback(new Error(`${hostname} has no address`), [])
      try {
        // Check all addresses, not just the first: the connection falls back from one to the next.
        for (const { address } of addresses) assertAllowed(hostname, address)
      } catch (refusal) {
        return callback(refusal as Error, [])
      }
      return all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }

  return { refusedClass, assertAllowed, lookup }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Cidr = readonly [Address, number]

// ipaddr.js also reads octal, hexadecimal and shortened IPv4; in a setting these are mistakes.
const plainIpv4 = /^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/

function parseCidr (text: string): Cidr {
  if (!ipaddr.isValidCIDR(text) || !(text.includes(':') || plainIpv4.test(text))) {
    throw new ConfigurationError(`outbound.allow: '${text}' is not a CIDR such as 10.0.0.0/8 or fd00::/8`)
  }
  return ipaddr.parseCIDR(text)
}

function isWithin (address: Address, [network, bits]: Cidr): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

// IANA assigns global unicast addresses out of 2000::/3 only; ipaddr.js calls the rest of the space
// unicast too, including `::127.0.0.1`.
const globalUnicast: Cidr = ipaddr.parseCIDR('2000::/3')

function classOf (address: Address): string | undefined {
  const range: string = address.range()
  if (range !== 'unicast') return classNames.get(range) ?? range
  return address.kind() === 'ipv4' || isWithin(address, globalUnicast) ? undefined : 'reserved'
}

const classNames: ReadonlyMap<string, string> = new Map([
  ['linkLocal', 'link-local'],
  ['carrierGradeNat', 'carrier-grade NAT'],
  ['uniqueLocal', 'unique-local'],
  ['deprecatedSiteLocal', 'site-local'],
  ['ipv4Mapped', 'IPv4-mapped'],
  ['rfc6145', 'IPv4-translated'],
  ['rfc6052', 'NAT64'],
  ['reserved', 'reserved, documentation or benchmark'],
  ['benchmarking', 'benchmark']
])
