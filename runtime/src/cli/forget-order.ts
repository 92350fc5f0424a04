import { escapeUnprintable } from '@linker/sdk/host/text'
import type { PersonalDataRemoval } from '../orders/personal-data/schemas.ts'
import { print } from '../terminal/print.ts'
import { formatTable } from '../terminal/table.ts'
import type { HubClient } from './hub-client.ts'

export interface ForgetOptions {
  dryRun?: boolean
  json?: boolean
}

/** Removes the data of the buyer from the order with this path, and prints what was removed. */
export async function forgetOrder (hub: HubClient, path: string, { dryRun = false, json }: ForgetOptions) {
  const removal = await hub.call('DELETE', `${path}/personal-data?dryRun=${String(dryRun)}`) as PersonalDataRemoval
  print(json === true ? JSON.stringify(removal, null, 2) : describeRemoval(removal))
  if (removal.obstacles.length > 0) process.exitCode = 1
}

function describeRemoval ({ id, externalId, deleted, personalDataRemovedAt, obstacles, removed }: PersonalDataRemoval) {
  const fate = deleted ? 'removed' : 'would be removed'
  const rows = removed.map(({ what, count }) => [what, String(count), fate])
  return [
    `order ${externalId} (${id})${
      personalDataRemovedAt === null ? '' : `: data of the buyer removed at ${personalDataRemovedAt}`
    }`,
    ...rows.length === 0 ? [] : formatTable(['what', 'number', 'fate'], rows).split('\n'),
    ...obstacles.map(({ message }) => `in the way: ${message}`)
  ].map(escapeUnprintable).join('\n')
}
