/**
 * Carriers whose parcels the marketplace follows by itself. Any other parcel has to say how far it
 * is.
 */
const tracked = ['inpost', 'pocztaPolska', 'dhl', 'dpd', 'ups', 'gls', 'orlen', 'pocztex24']
const untracked = [
  'ownTransport',
  'selfPickup',
  'ambroExpress',
  'pekaes',
  'tntExpress',
  'schenker',
  'dsv',
  'dts',
  'geis',
  'fedex',
  'jasFBG',
  'patronService',
  'raben',
  'rhenus',
  'rohligSuus',
  'hellmann'
]

const byName = new Map([
  ...[...tracked, ...untracked].map((vendor): [string, string] => [vendor.toLowerCase(), vendor]),
  ['paczkomat', 'inpost'],
  ['paczkomaty', 'inpost'],
  ['pocztex', 'pocztex24'],
  ['tnt', 'tntExpress'],
  ['dbschenker', 'schenker'],
  ['rohlig', 'rohligSuus']
])

export interface Vendor {
  vendor: string
  isKnown: boolean
  isTracked: boolean
}

/**
 * The marketplace's name of a carrier, by the words that its name begins with: `DPD Polska` is
 * `dpd`. One that it does not know is the seller's own transport.
 */
export function vendorOf (carrier: string): Vendor {
  const words = carrier.normalize('NFKD').toLowerCase().replaceAll('ł', 'l').replaceAll(/[\u0300-\u036f]/g, '')
    .match(/[a-z0-9]+/g) ?? []
  const vendor = words.map((_, index) => byName.get(words.slice(0, words.length - index).join(''))).find(name =>
    name !== undefined
  )
  return {
    vendor: vendor ?? 'ownTransport',
    isKnown: vendor !== undefined,
    isTracked: vendor !== undefined && tracked.includes(vendor)
  }
}
