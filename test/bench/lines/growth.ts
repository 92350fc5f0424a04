import type { Mode } from '../../support/modes.ts'
import { defineBench } from '../bench.ts'
import { repeat, type Figures } from '../report/figures.ts'
import { openReport } from '../report/report.ts'
import { measureEvents, warmUp, type EventFigure } from '../tools/measure-events.ts'
import { openOneJobHub } from '../tools/one-job-hub.ts'
import { withSales } from '../tools/sales.ts'
import { serverColumns } from '../tools/server-meter.ts'
import { noop } from '../tools/small-jobs.ts'
import type { Query } from '../tools/with-database.ts'

const events = 10_000
const fewConnections = 10

/**
 * Measures what an event costs a hub that has grown: with more connections, with jobs of the past,
 * and with many variants and offers.
 */
export const growth = defineBench({
  name: 'growth',
  options: { 'kept-jobs': 1_000_000, 'kept-variants': 1_000_000, 'kept-offers': 100_000, 'most-connections': 10_000 },
  async run ({ modes, environment, runs, options }) {
    const { 'kept-jobs': jobs, 'kept-variants': variants, 'kept-offers': offers } = options
    for (const mode of modes) {
      const report = openReport({
        name: `growth-${mode}`,
        title: `What an event costs as the hub grows, ${mode}`,
        method: `${events} events, each starts a job that does nothing; the rows of the past are those of others`,
        runs,
        columns: {
          cpu: { heading: 'CPU µs/event' },
          finished: { heading: 'finished/s' },
          databaseCpu: serverColumns.databaseCpu
        },
        main: 'cpu'
      })
      const measureJobs = (connections: number, fill?: (query: Query) => Promise<void>) =>
        repeat(runs, () => measure(mode, environment, connections, fill))
      const empty = report.hub(`${fewConnections} connections`, await measureJobs(fewConnections))
      for (const connections of new Set([1_000, options['most-connections']])) {
        report.hub(`${connections} connections`, await measureJobs(connections), empty)
      }
      const past = await measureJobs(fewConnections, query => keepJobs(query, jobs))
      report.hub(`${fewConnections} connections, ${jobs} jobs of the past`, past, empty)
      await report.keep()

      const stock = openReport({
        name: `growth-stock-${mode}`,
        title: `What a written quantity costs as the catalog grows, ${mode}`,
        method: 'bursts of changes as in the benchmark `stock`; the rows of the past are those of others',
        runs,
        columns: { cpu: { heading: 'CPU ms/write', digits: 2 }, writes: { heading: 'writes/s' } },
        main: 'cpu'
      })
      let few = ''
      await withSales({ mode, environment }, async sales => {
        await sales.change()
        few = stock.hub('nothing else', await repeat(runs, sales.change))
      })
      const fill = (query: Query): Promise<void> => keepCatalog(query, { variants, offers })
      await withSales({ mode, environment, fill }, async sales => {
        await sales.change()
        stock.hub(`${variants} variants, ${offers} offers`, await repeat(runs, sales.change), few)
      })
      await stock.keep()
    }
  }
})

async function measure (
  mode: Mode,
  environment: NodeJS.ProcessEnv,
  connections: number,
  fill?: (query: Query) => Promise<void>
): Promise<Figures<EventFigure>> {
  const hub = await openOneJobHub(mode, environment, noop, { fill })
  try {
    const connectionIds = await hub.connect(connections)
    await warmUp(hub, connectionIds)
    // The schedules of new connections run too.
    await hub.waitUntilIdle()
    return await measureEvents(hub, connectionIds, events)
  } finally {
    await hub.close()
  }
}

const uuid = (kind: string, number: string): string => `md5('${kind}' || ${number})::uuid`
const aConnection = uuid('connection', 'n % 100')

async function keepJobs (query: Query, count: number): Promise<void> {
  await query(`
    insert into jobs (
      id, job_type, lane, connection_id, object_key, idempotency_key, payload, outcome, created_at, finished_at
    )
    select ${uuid('job', 'n')}, 'a.b', 'state', ${aConnection}, 'object' || n, 'key' || n, '{}', 'succeeded',
      now() - n * interval '1 second', now() - n * interval '1 second'
    from generate_series(1, ${count}) n`)
  await query('analyze')
}

async function keepCatalog (
  query: Query,
  { variants, offers }: { variants: number, offers: number }
): Promise<void> {
  await query(`
    insert into connections (
      id, platform_type, name, status, config, adapter_key, capabilities, webhook_scheme, created_at, updated_at
    )
    select ${uuid('connection', 'n')}, 'past', 'Past', 'disabled', '{}', 'past.api.v1', '[]', 'hmac', now(), now()
    from generate_series(0, 99) n`)
  await query(`
    insert into products (id, connection_id, external_id, image_urls, created_at, updated_at)
    select ${uuid('product', 'n')}, ${aConnection}, n, '[]', now(), now() from generate_series(1, ${variants}) n`)
  await query(`
    insert into variants (id, product_id, external_id, image_urls, created_at, updated_at)
    select ${uuid('variant', 'n')}, ${uuid('product', 'n')}, n, '[]', now(), now()
    from generate_series(1, ${variants}) n`)
  await query(`
    insert into stock (variant_id, quantity, updated_at)
    select ${uuid('variant', 'n')}, 1, now() from generate_series(1, ${variants}) n`)
  await query(`
    insert into offers (
      id, connection_id, variant_id, external_id, status, frozen_fields, problems, created_at, updated_at
    )
    select ${uuid('offer', 'n')}, ${aConnection}, ${uuid('variant', 'n')}, n, 'ACTIVE', '[]', '[]', now(), now()
    from generate_series(1, ${offers}) n`)
  await query('analyze')
}
