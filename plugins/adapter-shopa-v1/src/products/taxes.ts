import { anyOf, type ShopClient } from '../client.ts'
import { readAll, readByIds } from '../webservice/paging.ts'
import { reference, type Row } from '../webservice/row.ts'
import { parseDecimal } from './gross-amount.ts'

const keepMs = 10 * 60_000
const untaxed = '0'

/** The tax rates of one country, by tax rules group. */
export interface Taxes {
  /**
   * Returns the tax rate of each tax rules group, in billionths of a percent: 23 % is 23 000 000
   * 000. A group whose rate the shop does not say is missing from the map. The caller must not
   * treat it as untaxed.
   */
  readPercents(groupIds: Iterable<string>): Promise<Map<string, bigint>>
}

/**
 * Makes a reader of the tax rates of one country. It calls `readCountryId` until one call succeeds
 * and then remembers the id. It remembers each rate for ten minutes. It asks the shop again, at the
 * next call, for a rate that the shop did not say.
 */
export function createTaxes (client: ShopClient, readCountryId: () => Promise<string>, now: () => Date): Taxes {
  const known = new Map<string, { percent: bigint, until: number }>()
  let countryId: Promise<string> | undefined

  async function readUnknown (groupIds: readonly string[]): Promise<void> {
    countryId ??= readCountryId().catch((error: unknown) => {
      countryId = undefined
      throw error
    })
    const [id, rules] = await Promise.all([
      countryId,
      readAll(client, 'tax_rules', { 'filter[id_tax_rules_group]': anyOf(groupIds), display: 'full' })
    ])
    const rulesOf = Map.groupBy(rules, rule => reference(rule.id_tax_rules_group))
    const taxOf = new Map(groupIds.map(group => [group, chooseRule(rulesOf.get(group) ?? [], id)?.id_tax]))
    const taxIds = [...new Set([...taxOf.values()].map(reference))].filter(id => id !== '0')
    const taxes = await readByIds(client, 'taxes', taxIds, { display: 'full' })
    for (const [group, taxId] of taxOf) {
      const percent = parseDecimal(taxes.find(tax => reference(tax.id) === reference(taxId))?.rate)
      if (percent !== undefined) known.set(group, { percent, until: now().getTime() + keepMs })
    }
  }

  return {
    async readPercents (groupIds) {
      const groups = [...new Set(groupIds)].filter(group => group !== untaxed)
      const unknown = groups.filter(group => (known.get(group)?.until ?? 0) <= now().getTime())
      for (const group of unknown) known.delete(group)
      if (unknown.length > 0) await readUnknown(unknown)
      const percents = groups.flatMap((group): [string, bigint][] => {
        const percent = known.get(group)?.percent
        return percent === undefined ? [] : [[group, percent]]
      })
      return new Map([[untaxed, 0n], ...percents])
    }
  }
}

/**
 * Returns the tax rule for a country: first a rule for the country without a state, then any other
 * rule for the country, and then the rule for every country.
 */
function chooseRule (rules: readonly Row[], countryId: string): Row | undefined {
  const ofCountry = rules.filter(rule => reference(rule.id_country) === countryId)
  const withoutState = ofCountry.find(rule => reference(rule.id_state) === '0')
  const ofEveryCountry = rules.find(rule => reference(rule.id_country) === '0')
  // Without any of these, take the first rule, although it is for another country. Integrations of
  // this shop do so, and without it the product would have no price.
  return withoutState ?? ofCountry[0] ?? ofEveryCountry ?? rules[0]
}
