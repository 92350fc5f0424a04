import { AdapterErrorCode, isAdapterError, type Log } from '@linker/sdk'
import { anyOf, type ShopClient } from '../client.ts'
import { readAll, readByIds } from '../webservice/paging.ts'
import { integer, isOff, reference, text, type Row } from '../webservice/row.ts'
import { divideHalfUp, one, parseDecimal } from './gross-amount.ts'

const keepMs = 10 * 60_000
const untaxed = '0'
const whole = 100n * one

/** The parts of an address that a tax depends on. Addresses of the hub name no state. */
export interface TaxAddress {
  countryId: string
  /** As the shop stores it. Absent for a price that is shown to everybody. */
  postcode?: string
}

export interface Taxes {
  /**
   * Returns the tax rate of each tax rules group at an address, in billionths of a percent: 23 % is
   * 23 000 000 000. A group whose rate the shop does not say is missing from the map. The caller
   * must not treat it as untaxed. Asks for the address only when a group is taxed.
   */
  readPercents(groupIds: Iterable<string>, readAddress: () => Promise<TaxAddress>): Promise<Map<string, bigint>>
}

interface Rule {
  row: Row
  percent: bigint | undefined
}

/**
 * Makes a reader of the shop's tax rates. It remembers the rules of a group for ten minutes. It
 * asks the shop again, at the next call, when a rate was unknown.
 */
export function createTaxes (client: ShopClient, { now, log }: { now: () => Date, log: Log }): Taxes {
  const known = new Map<string, { rules: Rule[], until: number }>()

  async function readRules (groupIds: readonly string[]): Promise<void> {
    const [rows, inactive] = await Promise.all([
      readAll(client, 'tax_rules', { 'filter[id_tax_rules_group]': anyOf(groupIds), display: 'full' }),
      readInactive(groupIds)
    ])
    const taxIds = [...new Set(rows.map(row => reference(row.id_tax)))].filter(id => id !== untaxed)
    const taxes = await readByIds(client, 'taxes', taxIds, { display: 'full' })
    const rateOf = new Map(taxes.map(tax => [reference(tax.id), parseDecimal(tax.rate)]))
    const rulesOf = Map.groupBy(rows, row => reference(row.id_tax_rules_group))
    const until = now().getTime() + keepMs
    for (const group of groupIds) {
      const rules = inactive.has(group) ? [] : rulesOf.get(group) ?? []
      known.set(group, { rules: rules.map(row => ({ row, percent: percentOf(row, rateOf) })), until })
    }
  }

  /** Returns the groups that are switched off: the shop ignores their rules. */
  async function readInactive (groupIds: readonly string[]): Promise<ReadonlySet<string>> {
    try {
      const rows = await readByIds(client, 'tax_rule_groups', groupIds, { display: '[id,active]' })
      return new Set(rows.filter(row => isOff(row.active)).map(row => reference(row.id)))
    } catch (error) {
      if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
      log.warn({ reason: error.message }, 'a group of tax rules that is switched off counts as active')
      return new Set()
    }
  }

  return {
    async readPercents (groupIds, readAddress) {
      const groups = [...new Set(groupIds)].filter(group => group !== untaxed)
      if (groups.length === 0) return new Map([[untaxed, 0n]])
      const unknown = groups.filter(group => (known.get(group)?.until ?? 0) <= now().getTime())
      const [address] = await Promise.all([readAddress(), unknown.length > 0 ? readRules(unknown) : undefined])
      const percents = groups.flatMap((group): [string, bigint][] => {
        const percent = combine(fitting(known.get(group)?.rules ?? [], address))
        if (percent === undefined) known.delete(group)
        return percent === undefined ? [] : [[group, percent]]
      })
      return new Map([[untaxed, 0n], ...percents])
    }
  }
}

/** Reads the rate of a rule. A rule that names no tax is 0 %; a rate that is missing is unknown. */
function percentOf ({ id_tax: taxId }: Row, rateOf: ReadonlyMap<string, bigint | undefined>): bigint | undefined {
  return text(taxId) === untaxed ? 0n : rateOf.get(reference(taxId))
}

/** Returns the rules of an address, the narrowest first. */
function fitting (rules: readonly Rule[], { countryId, postcode = '' }: TaxAddress): Rule[] {
  const code = postcode.trim() === '' ? '0' : postcode.trim().toUpperCase()
  const fits = ({ row }: Rule): boolean => {
    const { from, to } = rangeOf(row)
    // The shop compares postcodes as texts.
    const isInRange = (code >= from && code <= to) || (to === '0' && ['0', code].includes(from))
    return reference(row.id_country) === countryId && reference(row.id_state) === '0' && isInRange
  }
  return rules.filter(fits).toSorted((a, b) => {
    const [left, right] = [rangeOf(a.row), rangeOf(b.row)]
    return compare(right.from, left.from) || compare(right.to, left.to)
  })
}

function rangeOf ({ zipcode_from: from, zipcode_to: to }: Row): { from: string, to: string } {
  return { from: reference(from).toUpperCase(), to: reference(to).toUpperCase() }
}

function compare (left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

/**
 * Combines the rates of rules as the shop does. Rules after the first count as long as none says 0;
 * the first says how: 1 adds the rates, 2 takes one tax on top of the other. No rule means no tax.
 */
function combine (rules: readonly Rule[]): bigint | undefined {
  const behaviorOf = (rule: Rule | undefined) => integer(rule?.row.behavior) ?? 0
  const last = rules.findIndex(rule => behaviorOf(rule) === 0)
  const counted = last === -1 ? rules : rules.slice(0, last + 1)
  const percents = counted.map(({ percent }) => percent)
  if (!percents.every(percent => percent !== undefined)) return undefined
  if (behaviorOf(counted[0]) !== 2) return percents.reduce((sum, percent) => sum + percent, 0n)
  return percents.reduce((sum, percent) => divideHalfUp(sum * (whole + percent), whole), whole) - whole
}
