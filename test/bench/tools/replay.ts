import type { LoggedRequest, ShopA } from '@linker/simulators'
import { Agent, request } from 'undici'

const concurrency = 2

/**
 * Returns how many seconds the same reads of the shop take without a hub. It keeps its connections
 * and sends two requests at a time, as the hub mostly does.
 */
export async function replayReads (shop: ShopA, reads: readonly LoggedRequest[]): Promise<number> {
  const agent = new Agent()
  const authorization = `Basic ${Buffer.from(`${shop.key.apiKey}:`).toString('base64')}`
  const queue = reads.values()

  async function send (): Promise<void> {
    for (const { path, query } of queue) {
      const address = new URL(path, shop.url)
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
      const response = await request(address, {
        headers: { authorization, 'output-format': 'JSON' },
        dispatcher: agent
      })
      await response.body.dump()
      if (response.statusCode !== 200) throw new Error(`${address.href} was answered ${response.statusCode}`)
    }
  }

  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, send))
  const seconds = (performance.now() - startedAt) / 1_000
  await agent.close()
  return seconds
}
