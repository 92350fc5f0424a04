/** Carriers whose parcels the marketplace tracks itself. Other parcels must carry a status. */
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

/** Carriers whose tracking numbers the marketplace does not check. */
const free: readonly string[] = ['dpd', 'schenker', 'ownTransport', 'selfPickup']
const numberPattern = /^(?=.{2,32}$)[A-Za-z0-9]+(\/[A-Za-z0-9]+){0,2}$/

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

/** Whether the marketplace takes a tracking number of this carrier. */
export function isNumberOf (vendor: string, trackingNumber: string): boolean {
  return free.includes(vendor) || numberPattern.test(trackingNumber)
}

/**
 * Finds the marketplace's carrier whose name is the longest beginning of the given name: `DPD
 * Polska` is `dpd`. A carrier that the marketplace does not know becomes the seller's own
 * transport.
 */
export function vendorOf (carrier: string): Vendor {
  const plain = carrier.normalize('NFKD').toLowerCase().replaceAll('ł', 'l').replaceAll(/[\u0300-\u036f]/g, '')
  const words = plain.match(/[a-z0-9]+/g) ?? []
  const beginnings = words.map((_, index) => words.slice(0, words.length - index).join(''))
  const vendor = beginnings.map(beginning => byName.get(beginning)).find(name => name !== undefined)
  return {
    vendor: vendor ?? 'ownTransport',
    isKnown: vendor !== undefined,
    isTracked: vendor !== undefined && tracked.includes(vendor)
  }
}
