import { eventually } from './api.ts'
import type { TestHub } from './hub.ts'

const selectIsQuiet = `
  select count(*) > 0 and count(*) filter (where state is not null) = 0 as "isQuiet"
  from jobs
  where connection_id = $1`

/**
 * Makes a connection to the simulated shop that got a webhook, which started no job, and whose
 * first sweep and its follow-ups have ended. The schedule of the sweep must be on.
 */
export async function openQuietShop (hub: TestHub, name: string): Promise<string> {
  const id = await hub.connect('shopa', { name })
  await hub.deliver(id, { eventType: 'test.ping', objectType: 'test', externalId: '1' })
  await eventually('the end of the first sweep', async () => {
    const [row] = await hub.database().query<{ isQuiet: boolean }>(selectIsQuiet, [id])
    return row?.isQuiet === true ? true : undefined
  })
  // The hub stores the last delivery half a second later.
  await eventually('the last delivery', async () => {
    const { json } = await hub.call('GET', `/connections/${id}/webhooks/status`)
    return (json as { lastDeliveryAt: string | null }).lastDeliveryAt === null ? undefined : true
  })
  return id
}
