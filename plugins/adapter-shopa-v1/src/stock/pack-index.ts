import type { ShopContext } from '../config.ts'

/** Remembers which packs contain a product: a change of a part has no event for its packs. */
export interface PackIndex {
  add(packId: string, partIds: Iterable<string>): Promise<void>
  /**
   * Returns at most `limit` packs that contain a product, and puts them behind the others, so that
   * the next call returns others. May name packs that do not contain it any more.
   */
  takePacksOf(partId: string, limit: number): Promise<string[]>
  /** Forgets those of some packs that no `add` of this index has named with the product. */
  keepAdded(partId: string, packIds: readonly string[]): Promise<void>
}

const rememberMs = 60 * 60_000

export function createPackIndex ({ kv, locks, clock }: Pick<ShopContext, 'kv' | 'locks' | 'clock'>): PackIndex {
  const stored = new Set<string>()
  let sinceMs = clock.now().getTime()
  const keyOf = (partId: string): string => `packs:${partId}`

  async function packsOf (partId: string): Promise<string[]> {
    const packs = await kv.get(keyOf(partId))
    return Array.isArray(packs) ? packs.filter(id => typeof id === 'string') : []
  }

  async function addTo (partId: string, packId: string): Promise<void> {
    if (!(await packsOf(partId)).includes(packId)) {
      await locks.run(keyOf(partId), async () => {
        await kv.set(keyOf(partId), [...new Set([...await packsOf(partId), packId])])
      })
    }
    stored.add(`${partId}/${packId}`)
  }

  return {
    async takePacksOf (partId, limit) {
      if ((await packsOf(partId)).length <= limit) return packsOf(partId)
      return locks.run(keyOf(partId), async () => {
        const packs = await packsOf(partId)
        const taken = packs.slice(0, limit)
        await kv.set(keyOf(partId), [...packs.slice(limit), ...taken])
        return taken
      })
    },
    async keepAdded (partId, packIds) {
      const gone = new Set(packIds.filter(packId => !stored.has(`${partId}/${packId}`)))
      if (gone.size === 0) return
      await locks.run(keyOf(partId), async () => {
        await kv.set(keyOf(partId), (await packsOf(partId)).filter(id => !gone.has(id)))
      })
    },
    async add (packId, partIds) {
      // Another index may have forgotten the pack meanwhile.
      const nowMs = clock.now().getTime()
      if (nowMs - sinceMs > rememberMs) {
        stored.clear()
        sinceMs = nowMs
      }
      const missing = [...new Set(partIds)].filter(partId => !stored.has(`${partId}/${packId}`))
      await Promise.all(missing.map(partId => addTo(partId, packId)))
    }
  }
}
