import type { ShopContext } from '../config.ts'

/** Remembers which packs contain a product: a change of a part has no event for its packs. */
export interface PackIndex {
  add(packId: string, partIds: Iterable<string>): Promise<void>
  /** May name packs that do not contain the product any more. */
  packsOf(partId: string): Promise<string[]>
}

export function createPackIndex ({ kv, locks }: Pick<ShopContext, 'kv' | 'locks'>): PackIndex {
  const stored = new Set<string>()
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
    packsOf,
    async add (packId, partIds) {
      const missing = [...new Set(partIds)].filter(partId => !stored.has(`${partId}/${packId}`))
      await Promise.all(missing.map(partId => addTo(partId, packId)))
    }
  }
}
