import type { Query } from '../../database/database.ts'
import type { Position } from '../../http/paging.ts'
import type { ConnectionHealth } from './schemas.ts'
import { selectHealth } from './statements.ts'

export interface HealthFilter {
  platformType?: string | undefined
  status?: string | undefined
  limit: number
  /** Position after the last connection of the page before. */
  after: Position | undefined
}

/** Returns the health of connections in the order in which they were made, with one statement. */
export async function listHealth (
  query: Query,
  { platformType, status, limit, after }: HealthFilter
): Promise<ConnectionHealth[]> {
  return query<ConnectionHealth>(selectHealth, [
    platformType ?? null,
    status ?? null,
    after?.createdAt ?? null,
    after?.id ?? null,
    limit
  ])
}
