interface Image {
  url: string
  /** The marketplace's own copy. Only reads have it. */
  internalUrl?: string
  isVariantImage?: boolean
  isLifestyleImage?: boolean
}

interface KnownMembers {
  name: string
  /** Minor units. */
  price: number
  stock: number
  status: 'active' | 'inactive' | null
  archived: boolean | null
  images: Image[]
  dispatchTime: { unit?: 'hour' | 'day' | 'month', period: number }
  deliveryPriceList?: string | null
  taxRate?: string | null
  /** Members that the seller edited by hand, so that integrations cannot write them. */
  frozen: Record<string, boolean>
}

/** Members of a create or update body. */
export interface ProductMembers extends Partial<KnownMembers> {
  [member: string]: unknown
}

export interface ProductUpdate extends ProductMembers {
  overrideFrozen?: true | string[]
  newExternalId?: string
}

/** An offer as reads show it. */
export interface Product extends KnownMembers {
  externalId: string
  marketplaceId: number
  slug: string
  categories: unknown[]
  attributes: unknown[]
  externalAttributes: unknown[]
  externalCategories: unknown[]
  files: unknown[]
  buyableProblems: string[]
  created: string
  updated: string
  archivedAt: string | null
  [member: string]: unknown
}

/** One state of a key. It has no product if a rename gave the key up. */
interface Version {
  visibleAt: number
  product: Product | undefined
}

export interface ProductsOptions {
  now: () => Date
  /** Whether the shop has delivery conditions under this name of a price list. */
  isDeliverable: (priceList: string) => boolean
  /** How long reads keep showing the state before a write. */
  lagMs: () => number
}

/**
 * Makes the store of offers and its read cache. Every write adds a version; a read takes the newest
 * one that is visible.
 *
 *     write 1 ──lag──▶ visible 1 ───────────────▶
 *              write 2 ──lag──▶ visible 2 ──────▶
 */
export function createProducts ({ now, lagMs, isDeliverable }: ProductsOptions) {
  const versions = new Map<string, Version[]>()
  let keys: string[] = []
  let lastMarketplaceId = 987_653

  /** The stored state, ahead of the cache. */
  function stored (externalId: string): Product | undefined {
    return versions.get(externalId)?.at(-1)?.product
  }

  function allStored (): Product[] {
    return [...versions.keys()].map(stored).filter(product => product !== undefined)
  }

  function visible (externalId: string): Product | undefined {
    return versions.get(externalId)?.findLast(({ visibleAt }) => visibleAt <= now().getTime())?.product
  }

  function allVisible (): Product[] {
    return [...versions.keys()].map(visible).filter(product => product !== undefined)
  }

  /**
   * Yields the visible offers in the order of keys, from the key after `after`. The cost of a page
   * does not depend on the number of offers.
   */
  function* visibleByKey (order: 'ASC' | 'DESC', after: string | undefined): Generator<Product> {
    if (keys.length < versions.size) keys = [...versions.keys()].sort()
    const step = order === 'ASC' ? 1 : -1
    const isBehind = (key: string) => after === undefined || (order === 'ASC' ? key > after : key < after)
    const first = order === 'ASC' ? firstIndex(keys, isBehind) : firstIndex(keys, key => !isBehind(key)) - 1
    for (let index = first; index >= 0 && index < keys.length; index += step) {
      const product = visible(keys[index] ?? '')
      if (product !== undefined) yield product
    }
  }

  function store (externalId: string, product: Product | undefined, lag: number): void {
    const all = versions.get(externalId) ?? []
    const shown = all.findLastIndex(({ visibleAt }) => visibleAt <= now().getTime())
    const needed = all.slice(Math.max(0, shown))
    versions.set(externalId, [...needed, { visibleAt: now().getTime() + lag, product }])
  }

  function create (externalId: string, members: ProductMembers, lag = lagMs()): void {
    lastMarketplaceId += 1
    const timestamp = now().toISOString()
    store(
      externalId,
      asRead({
        status: 'active',
        archived: false,
        images: [],
        categories: [],
        attributes: [],
        externalAttributes: [],
        externalCategories: [],
        files: [],
        dispatchTime: { unit: 'day', period: 1 },
        name: externalId,
        price: 0,
        stock: 0,
        ...members,
        frozen: { ...members.frozen },
        externalId,
        marketplaceId: lastMarketplaceId,
        slug: slugOf(members.name ?? externalId),
        buyableProblems: [],
        created: timestamp,
        updated: timestamp,
        archivedAt: null
      }),
      lag
    )
  }

  /** Writes the members that are not frozen and returns their names. */
  function update (product: Product, { overrideFrozen, newExternalId, frozen, ...members }: ProductUpdate): string[] {
    const isWritable = (name: string): boolean =>
      product.frozen[name] !== true || overrideFrozen === true || overrideFrozen?.includes(name) === true
    const accepted = Object.entries(members).filter(([name]) => isWritable(name))
    const changed: Product = {
      ...product,
      ...Object.fromEntries(accepted),
      frozen: { ...product.frozen, ...frozen },
      updated: now().toISOString()
    }
    if (changed.archived !== product.archived) changed.archivedAt = changed.archived === true ? changed.updated : null
    const externalId = newExternalId ?? product.externalId
    if (externalId !== product.externalId) store(product.externalId, undefined, lagMs())
    store(externalId, asRead({ ...changed, externalId }), lagMs())
    return accepted.map(([name]) => name)
  }

  /** Adds what the marketplace finds out itself. */
  function asRead (product: Product): Product {
    const { marketplaceId, images } = product
    return {
      ...product,
      images: images.map((image, index) => ({
        ...image,
        internalUrl: `https://cdn.mktb.example/${marketplaceId}/${index + 1}.jpg`
      })),
      buyableProblems: problemsOf(product, isDeliverable)
    }
  }

  return { stored, allStored, visible, allVisible, visibleByKey, create, update }
}

export type Products = ReturnType<typeof createProducts>

/** Returns the first index for which `isWanted` holds; it must hold for every later key too. */
function firstIndex (keys: readonly string[], isWanted: (key: string) => boolean): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isWanted(keys[middle] ?? '')) high = middle
    else low = middle + 1
  }
  return low
}

function problemsOf (
  { stock, status, archived, images, price, taxRate, deliveryPriceList }: Product,
  isDeliverable: ProductsOptions['isDeliverable']
): string[] {
  const problems = {
    stock: stock <= 0,
    active: status !== 'active',
    archived: archived === true,
    image: !images.some(({ url }) => url.startsWith('https://')),
    missingPrice: price === 0,
    missingTaxRate: taxRate === undefined || taxRate === null,
    delivery: !isDeliverable(deliveryPriceList ?? '*')
  }
  return Object.entries(problems).filter(([, isProblem]) => isProblem).map(([name]) => name)
}

function slugOf (name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
}
