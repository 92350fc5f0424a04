import type { Command } from 'commander'
import { print } from '../terminal/print.ts'
import { addOfferChanges } from './change-offer.ts'
import { findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'

interface LinkOptions extends HubOptions {
  marketplace: string
  shop: string
  product: string
  variant?: string
  offer: string
}
interface Variant {
  id: string
  externalId: string
}

export function addOffers (program: Command): void {
  const offers = program.command('offers').description('offers of a running hub')
  addOfferChanges(offers, withHub)

  withHub(offers.command('link')
    .description('link an existing offer to a variant, so that it shows the stock of the variant')
    .requiredOption('--marketplace <connection>', 'name or id of the marketplace connection')
    .requiredOption('--shop <connection>', 'name or id of the shop connection')
    .requiredOption('--product <id>', 'id of the product in the shop')
    .option('--variant <id>', 'id of the variant in the shop; needed when the product has several')
    .requiredOption('--offer <id>', 'id of the offer at the marketplace'))
    .action(async (options: LinkOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const [connectionId, shopId] = [
        await findConnection(hub, options.marketplace),
        await findConnection(hub, options.shop)
      ]
      const variantId = await findVariant(hub, shopId, options)
      const offer = await hub.call('POST', '/offers/link', { connectionId, variantId, externalId: options.offer }) as {
        id: string
      }
      print(`${offer.id}  variant ${variantId} sells as ${options.offer}`)
    })
}

async function findVariant (
  hub: HubClient,
  shopId: string,
  { product: externalId, variant }: Pick<LinkOptions, 'product' | 'variant'>
): Promise<string> {
  const [product] = await hub.call(
    'GET',
    `/products?${new URLSearchParams({ connectionId: shopId, externalId }).toString()}`
  ) as { variants: Variant[] }[]
  if (product === undefined) {
    throw new HubError(`the hub knows no product ${externalId} of this shop. After a shop is connected, reading its ` +
      'catalog takes a moment')
  }
  const found = product.variants.filter(other => variant === undefined || other.externalId === variant)
  const [only] = found
  if (only !== undefined && found.length === 1) return only.id
  throw new HubError(`product ${externalId} has the variants ${
    product.variants.map(other => other.externalId).join(', ') || 'none'
  }: choose one with --variant`)
}
