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
  return completeIdAmong(text, kinds[0] ?? '', () => findByBeginning(hub, kinds, text))
}

/** Does the same among other things: `find` returns those whose id begins with the text. */
export async function completeIdAmong (
  text: string,
  name: string,
  find: () => Promise<Pick<SearchResult, 'id' | 'title' | 'subtitle'>[]>
): Promise<string> {
  if (isUuid(text) || idsBeginningWith(text) === null) return text
  const [found, ...others] = await find()
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
