import { startServer } from '@linker/runtime'
import { sampleProducts, startMktB, startShopA } from '@linker/simulators'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from './api.ts'

const demoDirectory = fileURLToPath(new URL('../', import.meta.url))

/**
 * Starts a shop, a marketplace and a hub that is configured for both. The hub keeps its state in a
 * folder of its own, or in the servers that the environment names.
 */
export async function startDemo (environment: NodeJS.ProcessEnv) {
  const keys = {
    shop: randomBytes(16).toString('hex'),
    market: randomBytes(16).toString('hex'),
    webhook: randomBytes(32).toString('hex'),
    admin: randomBytes(32).toString('hex')
  }
  const shop = await startShopA({ apiKey: keys.shop, products: sampleProducts })
  const market = await startMktB({ apiKey: keys.market, lagMs: 0 })
  const directory = makeProjectDirectory()
  const configPath = join(directory, 'linker.config.json')
  const config = {
    adapters: ['@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1', '@linker/adapter-mkta-v1'],
    platforms: { mktb: { production: { baseUrl: market.baseUrl }, ownedHosts: ['127.0.0.1'] } },
    outbound: { allow: ['127.0.0.1/32'] },
    // A sweep in between would find the change first, and the webhook would have no effect.
    schedules: {
      'master-inventory-sweep': { enabled: false },
      'marketplace-offers-sync': { enabled: false },
      'marketplace-orders-sweep': { enabled: false }
    }
  }
  await writeFile(configPath, JSON.stringify(config, null, 2))
  const hub = await startServer({
    ...environment,
    PORT: environment.PORT ?? '0',
    ADMIN_TOKEN: keys.admin,
    LINKER_CONFIG: configPath,
    LINKER_DATA_DIR: join(directory, 'state'),
    LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook,
    LOG_LEVEL: environment.LOG_LEVEL ?? 'warn'
  }, directory)

  return {
    shop,
    market,
    keys,
    hubUrl: hub.url,
    api: createApi(hub.url, keys.admin),
    async close () {
      await hub.close()
      await Promise.all([shop.close(), market.close()])
    }
  }
}

/**
 * Makes a project folder for the hub, which finds its adapters from there upwards. The folder is
 * deleted when the process exits, for whatever reason: on a signal the hub closes itself.
 */
function makeProjectDirectory (): string {
  const parent = join(demoDirectory, '.linker')
  mkdirSync(parent, { recursive: true })
  const directory = mkdtempSync(join(parent, 'demo-'))
  process.once('exit', () => {
    rmSync(directory, { recursive: true, force: true })
    // Another demo may be running.
    if (readdirSync(parent).length === 0) rmdirSync(parent)
  })
  return directory
}

export type Demo = Awaited<ReturnType<typeof startDemo>>
