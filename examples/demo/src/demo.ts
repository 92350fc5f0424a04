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
 * A shop, a marketplace and a hub that knows where they are. The hub keeps its state in a folder of
 * its own, or in the servers that the environment names.
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
  await writeFile(
    configPath,
    JSON.stringify(
      {
        adapters: ['@linker/adapter-shopa-v1', '@linker/adapter-mktb-v1', '@linker/adapter-mkta-v1'],
        platforms: { mktb: { production: { baseUrl: market.baseUrl }, ownedHosts: ['127.0.0.1'] } },
        outbound: { allow: ['127.0.0.1/32'] },
        // A sweep that comes between would find the change first, and the webhook would have
        // nothing to tell.
        schedules: {
          'master-inventory-sweep': { enabled: false },
          'marketplace-offers-sync': { enabled: false },
          'marketplace-orders-sweep': { enabled: false }
        }
      },
      null,
      2
    )
  )
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
 * A project of its own for the hub, whose adapters are found from there upwards. It goes with the
 * process, whatever ends that: a signal ends the hub by itself.
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
