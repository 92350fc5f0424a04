import { startServer } from '@linker/runtime'
import { sampleProducts, startMktB, startShopA } from '@linker/simulators'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApi } from './api.ts'

const demoDirectory = fileURLToPath(new URL('../', import.meta.url))

/**
 * Starts a shop, a marketplace and a hub that is configured for both. The hub keeps its state in a
 * new folder, or in the servers that the environment names. Closes the servers that it started when
 * a later one does not start.
 */
export async function startDemo (environment: NodeJS.ProcessEnv) {
  const keys = {
    shop: randomBytes(16).toString('hex'),
    market: randomBytes(16).toString('hex'),
    webhook: randomBytes(32).toString('hex'),
    admin: randomBytes(32).toString('hex')
  }
  const simulators: Array<{ close(): Promise<void> }> = []
  const closeSimulators = (): Promise<unknown> => Promise.all(simulators.map(simulator => simulator.close()))
  try {
    const shop = await startShopA({ apiKey: keys.shop, products: sampleProducts })
    simulators.push(shop)
    const market = await startMktB({ apiKey: keys.market, lagMs: 0 })
    simulators.push(market)
    const hub = await startHub(environment, { marketUrl: market.baseUrl, keys })
    return {
      shop,
      market,
      keys,
      hubUrl: hub.url,
      api: createApi(hub.url, keys.admin),
      async close () {
        await hub.close()
        await closeSimulators()
      }
    }
  } catch (error) {
    await closeSimulators()
    throw error
  }
}

async function startHub (
  environment: NodeJS.ProcessEnv,
  { marketUrl, keys }: { marketUrl: string, keys: { webhook: string, admin: string } }
) {
  const directory = makeProjectDirectory()
  const configPath = join(directory, 'linker.config.json')
  const config = {
    adapters: ['@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1', '@linker/adapter-mkta-v1'],
    platforms: { mktb: { production: { baseUrl: marketUrl }, ownedHosts: ['127.0.0.1'] } },
    outbound: { allow: ['127.0.0.1/32'] },
    // A sweep might find a change before its webhook arrives, and the demo is about webhooks.
    schedules: {
      'master-inventory-sweep': { enabled: false },
      'marketplace-offers-sync': { enabled: false },
      'marketplace-orders-sweep': { enabled: false }
    }
  }
  await writeFile(configPath, JSON.stringify(config, null, 2))
  return startServer({
    ...environment,
    PORT: environment.PORT ?? '0',
    ADMIN_TOKEN: keys.admin,
    LINKER_CONFIG: configPath,
    LINKER_DATA_DIR: join(directory, 'state'),
    LINKER_WEBHOOK_SECRET__SHOPA: keys.webhook,
    LOG_LEVEL: environment.LOG_LEVEL ?? 'warn'
  }, directory)
}

/**
 * Makes a project folder for the hub inside the package of the demo: the hub looks for adapters in
 * the `node_modules` of its project folder and of every folder above.
 */
function makeProjectDirectory (): string {
  const parent = join(demoDirectory, '.linker')
  mkdirSync(parent, { recursive: true })
  const directory = mkdtempSync(join(parent, 'demo-'))
  // After a signal the hub ends the process, so only an exit handler is sure to delete the folder.
  process.once('exit', () => {
    rmSync(directory, { recursive: true, force: true })
    removeIfEmpty(parent)
  })
  return directory
}

function removeIfEmpty (directory: string): void {
  try {
    rmdirSync(directory)
  } catch (error) {
    // Another demo may still use the folder, or may have removed it first.
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOTEMPTY' && code !== 'ENOENT') throw error
  }
}

export type Demo = Awaited<ReturnType<typeof startDemo>>
