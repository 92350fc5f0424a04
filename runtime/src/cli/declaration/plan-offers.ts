import type { HubState } from './hub-state.ts'
import type { SettingsPlan } from './plan-settings.ts'
import type { Declaration, DeclaredOffer, DeclaredVariant } from './schema.ts'
import type { MemberChange, Step } from './step.ts'

type Offers = Pick<HubState, 'connections' | 'offers' | 'products'>

/** Plans the links of offers. An offer waits until its connection and its variant are there. */
export function planOffers ({ connections = [], offers = [] }: Declaration, state: Offers): SettingsPlan {
  const names: Names = {
    idOf: new Map(state.connections.map(({ id, name }) => [name, id])),
    declared: new Set(connections.map(({ name }) => name)),
    present: new Map(state.offers.map(offer => [keyOf(offer.connectionId, offer.externalId), offer])),
    findVariants: createFinder(state)
  }
  const plan: SettingsPlan = { steps: [], faults: [], skipped: [] }
  for (const [index, offer] of offers.entries()) planOffer(plan, offer, `/offers/${index}`, names)
  return plan
}

interface Names {
  /** Ids of connections by their names. */
  idOf: ReadonlyMap<string, string>
  /** Names of the connections in the declaration. */
  declared: ReadonlySet<string>
  present: ReadonlyMap<string, Present>
  findVariants: (variant: DeclaredVariant) => readonly string[]
}

function planOffer (plan: SettingsPlan, declared: DeclaredOffer, pointer: string, names: Names): void {
  const { connection, externalId, variant } = declared
  const name = `${connection}/${externalId}`
  const connectionId = names.idOf.get(connection)
  const formFault = variantFault(variant)
  if (formFault !== undefined) {
    plan.faults.push({ pointer: `${pointer}/variant`, message: formFault })
    return
  }
  if (connectionId === undefined && !names.declared.has(connection)) {
    plan.faults.push({ pointer: `${pointer}/connection`, message: `no connection is called '${connection}'` })
    return
  }
  const [variantId, ...others] = names.findVariants(variant)
  if (variantId === undefined) {
    const reason = 'the hub does not know the variant yet'
    plan.skipped.push({ object: 'offer', name, reason, isUntilCreated: false })
    return
  }
  const fault = others.length > 0
    ? `${others.length + 1} variants are meant: ${[variantId, ...others].join(', ')}; name one by connection, ` +
      'productExternalId and externalId'
    : linkFault(names.present.get(keyOf(connectionId, externalId)), variantId)
  if (fault !== undefined) {
    plan.faults.push({ pointer: `${pointer}/variant`, message: fault })
  } else if (connectionId === undefined) {
    plan.skipped.push({ object: 'offer', name, reason: 'the connection does not exist yet', isUntilCreated: true })
  } else {
    plan.steps.push(...stepsOf(declared, { name, connectionId, variantId }, names.present))
  }
}

function keyOf (connectionId: string | undefined, externalId: string): string {
  return `${connectionId ?? ''}:${externalId}`
}

function variantFault ({ sku, ean, connection, productExternalId, externalId }: DeclaredVariant): string | undefined {
  const ids = [connection, productExternalId, externalId]
  const isByIds = ids.every(part => part !== undefined)
  const forms = [sku !== undefined, ean !== undefined, isByIds].filter(Boolean).length
  const isHalf = !isByIds && ids.some(part => part !== undefined)
  return forms === 1 && !isHalf
    ? undefined
    : 'must have either sku, or ean, or connection, productExternalId and externalId together'
}

/** Variants are compared as the hub does: SKUs in any case, EANs without the zeros before them. */
function createFinder ({ connections, products }: Offers): (variant: DeclaredVariant) => readonly string[] {
  const nameOf = new Map(connections.map(({ id, name }) => [id, name]))
  const ids = new Map<string, string[]>()
  const add = (key: string | undefined, id: string): void => {
    if (key !== undefined) ids.set(key, [...ids.get(key) ?? [], id])
  }
  for (const { connectionId, externalId: productExternalId, variants } of products) {
    const connection = nameOf.get(connectionId)
    for (const { id, externalId, sku, ean } of variants) {
      add(variantKey({ connection, productExternalId, externalId }), id)
      if (sku !== null) add(variantKey({ sku }), id)
      if (ean !== null) add(variantKey({ ean }), id)
    }
  }
  return variant => ids.get(variantKey(variant)) ?? []
}

function variantKey ({ sku, ean, connection, productExternalId, externalId }: Partial<DeclaredVariant>): string {
  if (sku !== undefined) return `sku ${sku.trim().toLowerCase()}`
  if (ean !== undefined) return `ean ${ean.trim().replace(/^0+/, '')}`
  return JSON.stringify([connection, productExternalId, externalId])
}

type Present = HubState['offers'][number] | undefined

function linkFault (offer: Present, variantId: string): string | undefined {
  return offer === undefined || offer.variantId === variantId
    ? undefined
    : `the offer is linked to another variant (${offer.variantId}): unlink it first, linker offers unlink ${offer.id}`
}

function stepsOf (
  { externalId, buffer, maxListed }: DeclaredOffer,
  { name, connectionId, variantId }: { name: string, connectionId: string, variantId: string },
  present: ReadonlyMap<string, Present>
): Step[] {
  const offer = present.get(keyOf(connectionId, externalId))
  const limits = { ...buffer === undefined ? {} : { buffer }, ...maxListed === undefined ? {} : { maxListed } }
  if (offer === undefined) {
    const body = { connectionId, variantId, externalId, ...limits }
    const request = { method: 'POST' as const, path: '/offers/link', body }
    return [{ object: 'offer', name, action: 'create', changes: [], request }]
  }
  const changes = (Object.entries(limits) as ['buffer' | 'maxListed', number | null][]).flatMap(
    ([member, to]): MemberChange[] => offer[member] === to ? [] : [{ pointer: `/${member}`, from: offer[member], to }]
  )
  if (changes.length === 0) return []
  const request = { method: 'PATCH' as const, path: `/offers/${offer.id}`, body: limits }
  return [{ object: 'offer', name, action: 'change', changes, request }]
}
