import type { Schemas } from '@linker/client'
import { hub } from '../../hub/hub.ts'

/** The data that every tab of a connection shows. */
export interface Read {
  connection: Schemas['Connection']
  /** The version of the connection, for `If-Match`. */
  etag: string
  adapters: readonly Schemas['Adapter'][]
}

export async function readConnection (id: string, signal?: AbortSignal): Promise<Pick<Read, 'connection' | 'etag'>> {
  const request = { path: { id }, ...(signal === undefined ? {} : { signal }) }
  const { data, headers } = await hub.request('get', '/connections/{id}', request)
  return { connection: data, etag: headers.get('etag') ?? '*' }
}
