import type { AttentionItem, AttentionKind } from '../../attention/schemas.ts'
import type { HubClient } from '../hub-client.ts'
import { messageOf, ok, warning, type Finding } from './finding.ts'

const check = 'attention'

/** The doctor has checks of its own for these. */
const checkedElsewhere: ReadonlySet<AttentionKind> = new Set([
  'connection-error',
  'adapter-away',
  'dead-jobs',
  'unsafe-setting'
])

/** What needs a person, as the running hub says it. A hub of an older version cannot. */
export async function checkAttention (hub: Pick<HubClient, 'call'>): Promise<Finding[]> {
  try {
    return describeAttention(await hub.call('GET', '/attention') as AttentionItem[])
  } catch (error) {
    return [warning(check, `the hub does not say what needs a person: ${messageOf(error)}`, 'update the hub')]
  }
}

/** Each item as a warning: it does not keep the hub from starting. */
export function describeAttention (items: readonly AttentionItem[]): Finding[] {
  const found = items.filter(({ kind, severity }) => severity !== 'info' && !checkedElsewhere.has(kind))
  if (found.length === 0) return [ok(check, 'nothing else needs a person')]
  return found.map(({ title, detail, target }) => warning(check, `${title}. ${detail}`, `GET ${target}`))
}
