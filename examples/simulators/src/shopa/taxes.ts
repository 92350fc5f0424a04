import { parseAmount } from './amounts.ts'
import type { Row } from './product-rows.ts'
import type { State } from './state.ts'

/** The parts of an address that a tax depends on. */
export interface TaxAddress {
  countryId: string
  stateId: string
  postcode: string
}

const hundred = 100_000_000n

/** Reads the delivery address of a cart. */
export function addressOf (state: State, cart: Row): TaxAddress {
  const fields = state.tables.addresses.get(Number(cart.fields.id_address_delivery))?.fields
  return {
    countryId: String(fields?.id_country ?? '0'),
    stateId: String(fields?.id_state ?? '0'),
    postcode: String(fields?.postcode ?? '') || '0'
  }
}

/**
 * Returns a tax rate in millionths of a percent. A group that is not active, and one without a rule
 * for the address, has no tax.
 */
export function percentOf (state: State, group: string, address: TaxAddress): bigint {
  if (state.tables.tax_rule_groups.get(Number(group))?.fields.active === '0') return 0n
  const fitting = state.tables.tax_rules.rows()
    .filter(({ fields }) => fields.id_tax_rules_group === group && fits(fields, address))
    .toSorted(narrowestFirst)
  const last = fitting.findIndex(({ fields }) => numberOf(fields.behavior) === 0)
  const counted = last === -1 ? fitting : fitting.slice(0, last + 1)
  const rates = counted.map(({ fields }) => rateOf(state, fields.id_tax))
  if (numberOf(counted[0]?.fields.behavior) !== 2) return rates.reduce((sum, rate) => sum + rate, 0n)
  return rates.reduce((whole, rate) => whole * (hundred + rate) / hundred, hundred) - hundred
}

function fits (fields: Row['fields'], { countryId, stateId, postcode }: TaxAddress): boolean {
  const [from, to] = [String(fields.zipcode_from || '0'), String(fields.zipcode_to || '0')]
  // The database compares postcodes as texts.
  const isInRange = (postcode >= from && postcode <= to) || (to === '0' && ['0', postcode].includes(from))
  return fields.id_country === countryId && ['0', stateId].includes(String(fields.id_state)) && isInRange
}

function narrowestFirst (a: Row, b: Row): number {
  for (const name of ['zipcode_from', 'zipcode_to'] as const) {
    const [left, right] = [String(a.fields[name]), String(b.fields[name])]
    if (left !== right) return left < right ? 1 : -1
  }
  return numberOf(b.fields.id_state) - numberOf(a.fields.id_state)
}

function rateOf (state: State, taxId: unknown): bigint {
  const tax = state.tables.taxes.get(numberOf(taxId))
  return tax === undefined ? 0n : parseAmount(String(tax.fields.rate))
}

function numberOf (value: unknown): number {
  return Number(value ?? 0)
}
