import type { Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BatchCreation, BatchView } from '../offers/listing/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { findVariant } from './find-variant.ts'
import { createHubClient, type HubClient, type HubOptions } from './hub-client.ts'
import { parsePrice } from './parse-price.ts'

interface CreateOptions extends HubOptions {
  draft?: boolean
  price?: { amount: string, currency: string }
  image?: string[]
  json?: boolean
}

const eachWaitMs = 1_000
const longestWaitMs = 60_000

/** `linker offers create`. */
export function addOfferCreation (offers: Command, withHub: (command: Command) => Command): void {
  withHub(offers.command('create')
    .description('put variants of the shops on sale at a marketplace, and wait for the result; exits with 1 when one ' +
      'of them failed or was on sale already')
    .argument(...connectionArgument)
    .argument('<variant...>', 'SKU, EAN or id of each variant, at most 100')
    .option('--draft', 'buyers cannot buy them yet')
    .option('--price <price>', 'one price for all, such as "12.90 EUR"; default: that of the shop', parsePrice)
    .option('--image <address...>', 'the same pictures for all; default: those of the shop')
    .option('--json', 'print the batch as JSON'))
    .action(async (marketplace: string, texts: string[], { draft, price, image, json, ...options }: CreateOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const connectionId = await findConnection(hub, marketplace)
      const variants = await Promise.all(texts.map(text => findVariant(hub, text)))
      const { batchId, skipped } = await hub.call('POST', '/listings/bulk-create', {
        connectionId,
        items: variants.map(({ variantId }) => ({ variantId })),
        defaults: {
          publishImmediately: draft !== true,
          price,
          overrides: image === undefined ? undefined : { imageUrls: image }
        }
      }) as BatchCreation
      const names = new Map(variants.map(({ variantId, name, sku }) => [variantId, name ?? sku]))
      const batch = await followBatch(hub, batchId, createProgress(process.stderr))
      if (batch.failed > 0 || skipped.length > 0 || batch.status === 'running') process.exitCode = 1
      if (json === true) print(JSON.stringify({ ...batch, skipped }, null, 2))
      else print(describe(batch, skipped, names))
    })
}

async function followBatch (hub: HubClient, id: string, progress: Progress): Promise<BatchView> {
  const end = Date.now() + longestWaitMs
  while (true) {
    const batch = await hub.call('GET', `/listings/batches/${id}`) as BatchView
    if (batch.status !== 'running' || Date.now() > end) return batch
    progress(`${batch.succeeded + batch.failed} of ${batch.total} have ended`)
    await sleep(eachWaitMs)
  }
}

function describe (
  { id, total, succeeded, items }: BatchView,
  skipped: BatchCreation['skipped'],
  names: ReadonlyMap<string, string | null>
): string {
  const nameOf = (variantId: string): string => names.get(variantId) ?? ''
  const rows = [
    ...items.map(({ variantId, offerId, status, problem }) => [
      nameOf(variantId),
      offerId,
      status,
      problem === undefined ? '' : `${problem.code}: ${problem.message}`
    ]),
    ...skipped.map(({ variantId, offerId, reason }) => [nameOf(variantId), offerId, 'skipped', reason])
  ]
  return `batch ${id}: ${succeeded} of ${total} listed\n\n${formatTable(['variant', 'offer', 'job', 'problem'], rows)}`
}
