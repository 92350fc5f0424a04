import type { FastifyRequest } from 'fastify'

/** Counts for each offer the writes that arrived while another write of it was under way. */
export function createOverlaps () {
  const underWay = new Map<string, number>()
  const overlaps = new Map<string, number>()
  const offers = new WeakMap<FastifyRequest, readonly string[]>()

  function onArrival (request: FastifyRequest): void {
    const written = writtenOffers(request)
    if (written.length === 0) return
    offers.set(request, written)
    for (const externalId of written) {
      const others = underWay.get(externalId) ?? 0
      if (others > 0) overlaps.set(externalId, (overlaps.get(externalId) ?? 0) + 1)
      underWay.set(externalId, others + 1)
    }
  }

  function onAnswered (request: FastifyRequest): void {
    for (const externalId of offers.get(request) ?? []) {
      const left = (underWay.get(externalId) ?? 0) - 1
      if (left > 0) underWay.set(externalId, left)
      else underWay.delete(externalId)
    }
    offers.delete(request)
  }

  return { onArrival, onAnswered, counted: (): ReadonlyMap<string, number> => new Map(overlaps) }
}

function writtenOffers ({ method, routeOptions, params, body }: FastifyRequest): readonly string[] {
  if (method !== 'POST' && method !== 'PATCH') return []
  if (routeOptions.url?.endsWith('/products/:externalId')) return [(params as { externalId: string }).externalId]
  if (!routeOptions.url?.endsWith('/products/batch-update') || !Array.isArray(body)) return []
  const idOf = (item: unknown): string | readonly string[] =>
    typeof item === 'object' && item !== null && 'externalId' in item ? String(item.externalId) : []
  return [...new Set(body.flatMap(idOf))]
}
