import definition from '@linker/adapter-mkta-v1'
import packageJson from '@linker/adapter-mkta-v1/package.json' with { type: 'json' }
import type { TestHost } from '@linker/sdk/testing'
import { startMktA } from '@linker/simulators'
import { join } from 'node:path'
import { makeApplication, platformOf } from '../support/marketplace-a.ts'
import { repository } from '../support/project.ts'
import { readSettings, recordFixtures, type RecordedPlatform } from './record-fixtures.ts'

export const adapterFolder = join(repository, 'plugins/adapter-mkta-v1')

/** Records the fixtures of the adapter with the simulated marketplace. */
export async function recordMktA (folder: string): Promise<void> {
  await recordFixtures({ settings: await readSettings(adapterFolder), folder, open: openMarket })
}

async function openMarket (host: TestHost): Promise<RecordedPlatform> {
  const { now } = host.clock
  const application = makeApplication('https://hub.example/callback')
  const market = await startMktA({ application, now })
  market.addOffer({ id: '7680001234', stock: { available: 5 } })
  const { accessToken, refreshToken } = market.issueTokens()
  const connection = await host.open({
    manifest: packageJson.linker,
    definition,
    config: { environment: 'sandbox' },
    credentials: { accessToken, refreshToken, expiresAt: new Date(now().getTime() + 3_600_000).toISOString() },
    platform: platformOf(market, application).mkta
  })
  return { connection, close: market.close }
}
