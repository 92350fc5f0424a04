import type { TokenView } from '../access/schemas.ts'
import { listTokens } from '../access/store.ts'
import { listSummaries } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { listValidSecrets, type ValidSecret } from '../webhooks/store.ts'

/**
 * The tokens and webhook secrets that work after a restore. A token that was revoked after the
 * backup, or a secret that was replaced since, is among them: the backup cannot know.
 */
export interface Revived {
  tokens: TokenView[]
  webhookSecrets: (ValidSecret & { connectionName: string })[]
}

const pageSize = 200

/** Reads them from a restored state. */
export async function readRevived (query: Query, now: Date): Promise<Revived> {
  const tokens: TokenView[] = []
  while (true) {
    const page = await listTokens(query, { after: tokens.at(-1), limit: pageSize, isSession: false, now })
    tokens.push(...page)
    if (page.length < pageSize) break
  }
  const names = new Map((await listSummaries(query)).map(({ id, name }) => [id, name]))
  const secrets = await listValidSecrets(query, now)
  return {
    tokens: tokens.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now),
    webhookSecrets: secrets.map(secret => ({
      ...secret,
      connectionName: names.get(secret.connectionId) ?? secret.connectionId
    }))
  }
}
