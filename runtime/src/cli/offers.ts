import { Option, type Command } from 'commander'
import type { OfferView } from '../offers/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import { addOfferChanges } from './change-offer.ts'
import { findConnection, readConnectionNames, type ConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { addOfferCreation } from './create-offers.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { addMarketplaceOffers } from './marketplace-offers.ts'

interface LinkOptions extends HubOptions {
  marketplace: string
  shop: string
  product: string
  variant?: string
  offer: string
  json?: boolean
}
interface ListOptions extends HubOptions {
  connection?: string
  status?: string
  problem?: string | true
  warning?: string
  offer?: string
  search?: string
  json?: boolean
}
interface Variant {
  id: string
  externalId: string
}

const statuses = ['DRAFT', 'ACTIVE', 'INACTIVE', 'ENDED', 'FAILED']
const warnings = ['stock-frozen', 'oversell']

/**
 * `linker offers`: `list`, `create`, `marketplace`, `link`, `link-certain`, `refresh`, `limit`,
 * `change`, `unlink` and `end`.
 */
export function addOffers (program: Command): void {
  const offers = program.command('offers').description('offers of a running hub')
  addOfferChanges(offers, withHub)

  withHub(offers.command('list').description('list the offers that are linked to variants')
    .option('--connection <connection>', 'only offers of this marketplace, by its name or id')
    .addOption(new Option('--status <status>', 'only this status').choices(statuses))
    .option('--problem [code]', 'only offers with a problem, or with a problem of this code')
    .addOption(new Option('--warning <code>', 'only offers with this warning').choices(warnings))
    .option('--offer <id>', 'only the offer with this id at its marketplace')
    .option('--search <text>', 'only this id at a marketplace, EAN, product id, or beginning of a name or SKU')
    .option('--json', 'print JSON'))
    .action(async (options: ListOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const { connection, status, problem, warning, offer: externalId, search: q } = options
      const found = await hub.list('/offers', {
        connectionId: connection === undefined ? undefined : await findConnection(hub, connection),
        status,
        problem: problem === true ? 'any' : problem,
        warning,
        externalId,
        q
      }) as OfferView[]
      if (options.json === true) print(JSON.stringify(found, null, 2))
      else print(formatOffers(found, await readConnectionNames(hub)))
    })

  addOfferCreation(offers, withHub)
  addMarketplaceOffers(offers)

  withHub(offers.command('link')
    .description('link an existing offer to a variant, so that it shows the stock of the variant')
    .requiredOption('--marketplace <connection>', 'name or id of the marketplace connection')
    .requiredOption('--shop <connection>', 'name or id of the shop connection')
    .requiredOption('--product <id>', 'id of the product in the shop')
    .option('--variant <id>', 'id of the variant in the shop; needed when the product has several')
    .requiredOption('--offer <id>', 'id of the offer at the marketplace')
    .option('--json', 'print JSON'))
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
      if (options.json === true) return print(JSON.stringify(offer, null, 2))
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

function formatOffers (found: readonly OfferView[], names: ConnectionNames): string {
  return formatTable(
    ['name', 'sku', 'marketplace', 'offer there', 'status', 'written', 'shown', 'problems', 'offer'],
    found.map(({ id, variant, title, connectionId, externalId, status, quantity, upstreamQuantity, ...offer }) => [
      variant.name ?? title ?? '',
      variant.sku ?? '',
      names.get(connectionId) ?? connectionId,
      externalId,
      status,
      String(quantity ?? ''),
      String(upstreamQuantity ?? ''),
      [...offer.problems, ...offer.warnings.map(({ message }) => message)].join('; '),
      id
    ])
  )
}
