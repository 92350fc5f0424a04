import type { SearchResult } from '../search/schemas.ts'
import { formatTable } from '../terminal/table.ts'
import { idsBeginningWith, isUuid } from '../text-patterns.ts'
import { HubError, type HubClient } from './hub-client.ts'

type Kind = 'job' | 'delivery' | 'order' | 'offer' | 'unlinked-offer'

/**
 * Returns the id that begins with a text of eight characters or more. Returns any other text
 * unchanged. Throws when no id begins with it, or several do.
 */
export async function completeId (hub: HubClient, kinds: readonly Kind[], text: string): Promise<string> {
  if (isUuid(text) || idsBeginningWith(text) === null) return text
  const [found, ...others] = await findByBeginning(hub, kinds, text)
  const name = kinds[0] ?? ''
  if (found === undefined) throw new HubError(`no id of ${name === 'offer' ? 'an' : 'a'} ${name} begins with '${text}'`)
  if (others.length === 0) return found.id
  const rows = [found, ...others].map(({ id, title, subtitle }) => [id, title, subtitle])
  throw new HubError(`${rows.length} ids begin with '${text}'; give more of one:\n${
    formatTable(['id', 'title', 'detail'], rows)
  }`)
}

async function findByBeginning (hub: HubClient, kinds: readonly Kind[], text: string): Promise<SearchResult[]> {
  const results = await hub.call('GET', `/search?${new URLSearchParams({ q: text }).toString()}`) as SearchResult[]
  return results.filter(({ kind, matchedBy }) => matchedBy === 'id' && kinds.some(wanted => wanted === kind))
}
