import definition from '@linker/adapter-mktb-v1'
import packageJson from '@linker/adapter-mktb-v1/package.json' with { type: 'json' }
import type { TestHost } from '@linker/sdk/testing'
import { startMktB } from '@linker/simulators'
import { join } from 'node:path'
import { repository } from '../support/project.ts'
import { readSettings, recordFixtures, type RecordedPlatform } from './record-fixtures.ts'

export const adapterFolder = join(repository, 'plugins/adapter-mktb-v1')

const apiKey = 'the-api-key-of-the-shop'

/** Records the fixtures of the adapter with the simulated marketplace. */
export async function recordMktB (folder: string): Promise<void> {
  await recordFixtures({
    settings: await readSettings(adapterFolder),
    folder,
    // The ids of a trace are others each time.
    redact: (value, pointer) => /\/(span|trace)Id$/.test(pointer) ? '0' : value,
    open: openMarket
  })
}

async function openMarket (host: TestHost): Promise<RecordedPlatform> {
  const { clock } = host
  const market = await startMktB({ apiKey, now: clock.now, lagMs: 0, random: () => 0.5 })
  for (const number of [1, 2, 3, 4, 5]) market.addProduct(`hub-variant-${number}`, { stock: number })
  for (const number of [1, 2, 3]) {
    market.placeOrder({
      id: `250101x1000${number}`,
      lines: [{ externalId: `hub-variant-${number}`, quantity: 1, unitPrice: 1_000 * number }]
    })
    clock.advance(1_000)
  }
  const connection = await host.open({
    manifest: packageJson.linker,
    definition,
    config: { orderWriteBack: true, defaultDispatchTime: { unit: 'day', period: 2 }, defaultTaxRate: 'TAX_23' },
    credentials: { apiKey },
    platform: { production: { baseUrl: market.baseUrl } }
  })
  return { connection, close: market.close }
}
