import type { Test } from 'tap'
import { eventually, type Answer } from './api.ts'
import { configShop } from './config-shop.ts'
import { buildTestHub, withoutSchedules, type Job, type TestHub } from './hub.ts'
import type { Mode } from './modes.ts'

export interface ListedOffer {
  id: string
  variantId: string
  externalId: string
  status: string
  upstreamStatus: string | null
  title: string | null
  price: unknown
  quantity: number | null
  frozenFields: string[]
  problems: string[]
}

/**
 * A hub with a shop whose variants wait to be listed on a marketplace. The first variant has a
 * stock of five, each next one has one more.
 */
export interface ListableVariants {
  hub: TestHub
  /** The connection to the marketplace. */
  market: string
  variantIds: string[]
  list(body: object): Promise<Answer>
  /** Changes fields of an offer, waits for the job and returns it. */
  change(offer: string, fields: object): Promise<Job>
  offer(id: string): Promise<ListedOffer>
  /** Compares the offers with the marketplace. */
  sync(): Promise<Job>
  /** Dates every write back. */
  age(minutes: number): Promise<void>
  /** Returns the bodies of the changes to an offer that the marketplace received. */
  writes(externalId: string): unknown[]
  /** Returns the number of jobs so far. */
  jobCount(): Promise<number>
}

const selectVariants = `
  select variants.id
  from variants
  join products on products.id = variants.product_id
  where products.connection_id = $1
  order by (substr(products.external_id, 2))::integer`

export async function openListableVariants (
  t: Test,
  { mode, variants }: { mode: Mode, variants: number }
): Promise<ListableVariants> {
  const hub = await buildTestHub(t, {
    mode,
    packages: [configShop()],
    config: { adapters: ['@acme/adapter-feedshop-v1', '@linker/adapter-mktb-v1'], schedules: withoutSchedules }
  })
  const market = await hub.connect('mktb', {
    config: { defaultDispatchTime: { unit: 'day', period: 2 }, defaultTaxRate: 'TAX_23' }
  })
  const feed = await hub.call('POST', '/connections', {
    body: { name: 'Feed', platformType: 'feedshop', config: { count: variants, quantity: 5, pageSize: 200 } }
  })
  const feedId = (feed.json as { id: string }).id
  const jobEnds = async ({ json }: Answer): Promise<Job> => {
    const { jobIds, jobId = '' } = json as { jobIds?: string[], jobId?: string }
    return hub.endOf(jobIds?.[0] ?? jobId)
  }

  await jobEnds(await hub.call('POST', '/stock/reconcile', { body: { connectionId: feedId } }))
  await eventually('the names of all products', async () => {
    const [unnamed] = await hub.database().query('select id from products where name is null limit 1')
    return unnamed === undefined ? true : undefined
  })
  const rows = await hub.database().query<{ id: string }>(selectVariants, [feedId])

  return {
    hub,
    market,
    variantIds: rows.map(({ id }) => id),
    list: body => hub.call('POST', `/listings/connections/${market}/offers`, { body }),
    change: async (offer, fields) =>
      jobEnds(await hub.call('POST', `/listings/connections/${market}/offers/${offer}/fields`, { body: fields })),
    offer: async id => (await hub.call('GET', `/offers/${id}`)).json as ListedOffer,
    sync: async () => jobEnds(await hub.call('POST', '/stock/reconcile', { body: { connectionId: market } })),
    async age (minutes) {
      const past = "now() - interval '1 minute' * $1"
      await hub.database().query(
        `update offers set written_at = ${past}, last_synced_at = ${past}, created_upstream_at = ${past}`,
        [minutes]
      )
    },
    writes (externalId) {
      const path = new RegExp(`/products/${externalId}$`)
      return hub.market.requests.matching({ method: 'PATCH', path }).map(({ body }) => body)
    },
    async jobCount () {
      const [row] = await hub.database().query<{ count: number }>('select count(*)::integer as count from jobs')
      return row?.count ?? 0
    }
  }
}
