/** A step of a new hub, until stock has travelled once. */
export interface FirstStep {
  title: string
  detail: string
  isDone: boolean
  href: string
  action: string
}

interface Facts {
  /** The connections, each with whether its adapter is the catalogue and whether it sells. */
  connections: readonly { isShop: boolean, isMarketplace: boolean }[]
  hasLinkedOffer: boolean
  hasStockWrite: boolean
}

/** The steps from an empty hub to a quantity that travelled. */
export function firstSteps ({ connections, hasLinkedOffer, hasStockWrite }: Facts): FirstStep[] {
  return [
    {
      title: 'Connect your shop',
      detail: 'The hub reads products and stock from it, and makes its orders there.',
      isDone: connections.some(({ isShop }) => isShop),
      href: '/console/connections/new',
      action: 'Connect'
    },
    {
      title: 'Connect a marketplace',
      detail: 'The hub writes quantities to it and reads its orders.',
      isDone: connections.some(({ isMarketplace }) => isMarketplace),
      href: '/console/connections/new',
      action: 'Connect'
    },
    {
      title: 'Link an offer',
      detail: 'Say which offer of the marketplace sells which variant of the shop.',
      isDone: hasLinkedOffer,
      href: '/console/offers?view=unlinked',
      action: 'Link'
    },
    {
      title: 'See stock travel',
      detail: 'Change a quantity in the shop; the hub writes it to the marketplace.',
      isDone: hasStockWrite,
      href: '/console/stock',
      action: 'Look'
    }
  ]
}
