import type { KeyValueStore } from '@linker/sdk'
import type { UpstreamOffer } from './read.ts'

const rememberedSeconds = 90 * 24 * 3_600
const prefix = 'republish/'
const listedAtOnce = 1_000

/** Remembers whether an offer comes back by itself: only the answer for a single offer says so. */
export async function noteRepublish (kv: KeyValueStore, { id, publication }: UpstreamOffer): Promise<void> {
  const key = prefix + id
  if (publication.republish === true) await kv.set(key, true, { ttlSeconds: rememberedSeconds })
  else if (publication.republish === false && await kv.get(key) !== undefined) await kv.delete(key)
}

/** Returns the offers that are known to come back by themselves. */
export async function listRepublished (kv: KeyValueStore): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let after: string | undefined = prefix
  while (after !== undefined) {
    const rows: { key: string }[] = await kv.list({ prefix, after, limit: listedAtOnce })
    for (const { key } of rows) found.add(key.slice(prefix.length))
    after = rows.length < listedAtOnce ? undefined : rows.at(-1)?.key
  }
  return found
}
