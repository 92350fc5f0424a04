import type { Offer } from '@linker/sdk'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import { storableQuantity } from './compare.ts'
import { marketplaceProblems, type OfferProblem } from './problem-codes.ts'

/** An offer that exists at the marketplace and is to follow the stock of a variant. */
export interface NewLink {
  id: string
  variantId: string
  externalId: string
  buffer?: number | undefined
  maxListed?: number | null | undefined
  /** The offer as the marketplace shows it; absent when the hub did not look. */
  shown?: Offer | undefined
  /** Problems that the hub notes itself. */
  problems?: readonly OfferProblem[] | undefined
}

const insertLinks = `
  insert into offers (
    id, connection_id, variant_id, external_id, status, upstream_status,
    title, price, buffer, max_listed, frozen_fields, problems,
    upstream_quantity, upstream_read_at,
    seen_at,
    created_at, updated_at
  )
  select
    id, $1, "variantId", "externalId", status, "upstreamStatus",
    title, price, buffer, "maxListed", "frozenFields", problems,
    "upstreamQuantity", case when "upstreamQuantity" is not null then now() end,
    case when "isSeen" then now() end,
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  from jsonb_to_recordset($2::jsonb) as link (
    id uuid, "variantId" uuid, "externalId" text, status text, "upstreamStatus" text,
    title text, price jsonb, buffer integer, "maxListed" integer, "frozenFields" jsonb, problems jsonb,
    "upstreamQuantity" integer, "isSeen" boolean
  )
  order by "externalId"
  on conflict (connection_id, external_id) do nothing
  returning id`

/**
 * Links offers to variants and answers the ids of the new links. Two requests, or a request and a
 * comparison, may link an offer at once: the unique (connection, external id) decides.
 */
export async function insertLinked (query: Query, connectionId: string, links: readonly NewLink[]): Promise<string[]> {
  const rows = links.map(({ shown, problems = [], buffer = 0, ...link }) => ({
    ...link,
    buffer,
    isSeen: shown !== undefined,
    status: shown?.status ?? 'ACTIVE',
    upstreamStatus: shown?.upstreamStatus,
    title: shown?.title,
    price: shown?.price,
    upstreamQuantity: storableQuantity(shown?.quantity),
    frozenFields: shown?.frozenFields ?? [],
    problems: [...marketplaceProblems(shown?.problems ?? []), ...problems]
  }))
  const inserted = await query<{ id: string }>(insertLinks, [connectionId, toStorableJson(rows)])
  return inserted.map(({ id }) => id)
}
