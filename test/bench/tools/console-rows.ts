import type { Query } from './with-database.ts'

export interface ConsoleSizes {
  connections: number
  jobs: number
  offers: number
}

/** The rows that the requests of the console name. */
export interface NamedRows {
  connectionId: string
  /** Has no jobs of its own but those of one in ten thousand. */
  quietConnectionId: string
  offerId: string
  variantId: string
  orderId: string
  deadJobId: string
  deliveryId: string
  redriveId: string
}

const money = { amount: '9.99', currency: 'EUR' }
const snapshot = {
  externalId: 'order',
  status: 'processing',
  revision: '1',
  placedAt: '2026-01-01T00:00:00.000Z',
  buyer: { email: 'buyer@example.com' },
  lines: [{ externalId: 'line', offerExternalId: 'offer', name: 'Product', quantity: 1, unitPrice: money }],
  total: money,
  payment: { method: 'prepaid', paid: money },
  shipping: {
    methodId: 'courier',
    methodName: 'Courier',
    price: money,
    address: { firstName: 'A', lastName: 'B', street: 'Street 1', postcode: '1', city: 'C', country: 'DE' }
  }
}

const uuid = (kind: string, number: string): string => `md5('${kind}' || ${number})::uuid`

// Half of everything belongs to fifty accounts: a few shops are large and many are small.
const busyConnections = 50
const ordersOf = 100_000
const auditEntries = 100_000
const unlinkedOffers = 20_000
const ignoredEvents = 20_000
const liveJobs = 4_000
const redrives = 200
const jobsOfRedrive = 5_000
const masters = 10
// The hub removes jobs that ended longer ago than fourteen days.
const days = 10

/**
 * Fills the database of a hub that has worked for months. One job in fifty died, some wait, and the
 * others succeeded; half of the jobs came from webhooks. One offer in 200 shows another quantity
 * than it should, one in 100 has a problem. `platformType` has the one adapter of the hub.
 */
export async function fillForConsole (
  query: Query,
  platformType: string,
  { connections, jobs, offers }: ConsoleSizes
): Promise<void> {
  const connectionOf = (n: string): string =>
    uuid('connection', `(${n} / 2 % case when ${n} % 2 = 0 then ${busyConnections} else ${connections} end)`)
  const connection = connectionOf('n')
  const variants = Math.ceil(offers / 2)
  const secondsApart = days * 86_400 / jobs
  const ago = (seconds: number): string => `now() - n * interval '${seconds} seconds'`
  const jobAge = ago(secondsApart)
  const adapter = `${platformType}.api.v1`
  const event = `jsonb_build_object('eventType', 'stock.changed', 'objectType', 'product', 'externalId', n::text,
    'occurredAt', '2026-01-01T00:00:00.000Z', 'publishedAt', '2026-01-01T00:00:00.100Z')`
  const attempt = (error: string): string =>
    `jsonb_build_array(jsonb_build_object(
    'startedAt', to_jsonb(${jobAge}), 'finishedAt', to_jsonb(${jobAge}),
    'calls', jsonb_build_array(
      jsonb_build_object('at', to_jsonb(${jobAge}), 'method', 'GET', 'path', '/products/' || n, 'status', 200,
        'ms', 12)
    )${error}))`
  const code = "(array['LNK_ADAPTER_REJECTED', 'LNK_ADAPTER_UNREACHABLE', 'LNK_OFFER_NOT_FOUND'])[1 + n % 3]"
  const problem = `jsonb_build_object('code', ${code}, 'message', 'The platform refused the value.')`
  const failed = attempt(`, 'error', ${problem}`)
  const isDead = `n % 50 = 0 and n > ${liveJobs}`
  const kinds = "array['inventory.sync', 'offers.write', 'orders.create', 'orders.poll']"
  const jobType = `'${platformType}.' || (${kinds})[1 + n % 4]`
  const jobColumns = `id, job_type, lane, connection_id, object_key, idempotency_key, payload, request_id, adapter,
    attempts, created_at`
  const jobValues = (object: string): string => `
    ${uuid('job', 'n')}, ${jobType}, 'state', ${connection}, ${object},
    case when n % 2 = 0 then 'webhook:${platformType}:' || ${connection} || ':event' || n else 'key' || n end,
    ${event}, 'request' || n / 3, '${adapter}@1.0.0'`
  const counts = (share: string): string =>
    `jsonb_build_object('jobsSucceeded', ${share}, 'jobsDead', n % 3,
    'jobsPutBack', n % 5, 'webhooksAccepted', ${share}, 'upstream2xx', 2 * ${share}, 'upstream:9', ${share},
    'upstream:10', ${share}, 'upstream:12', n % 7, 'written:14', ${share}, 'written:16', n % 4)`
  const statements = [
    // Without the checks of foreign keys, each of which costs a look-up.
    'set session_replication_role = replica',
    `insert into integration_credentials (ref, platform_type, credentials_json, encrypted, created_at,
       updated_at)
     select 'c' || n, '${platformType}', '{"token": "a token of twenty letters"}', false, now(), now()
       from generate_series(0, ${connections - 1}) n`,
    `insert into connections (id, platform_type, name, status, status_reason, config, credentials_ref,
       adapter_key,
       capabilities, webhook_scheme, created_at, updated_at)
     select ${uuid('connection', 'n')}, '${platformType}', 'Shop ' || n,
       case when n % 200 = 7 then 'error' else 'active' end,
       case when n % 200 = 7 then 'The platform refuses the credentials.' end, '{}', 'db:c' || n, '${adapter}',
       '["InventoryMaster"]', 'hmac', ${ago(60)}, now()
     from generate_series(0, ${connections - 1}) n`,
    `insert into connection_cursors (connection_id, cursor_key, value)
     select ${uuid('connection', 'n')}, 'orders', n from generate_series(0, ${connections - 1}) n`,
    `insert into upstream_states (connection_id, version, state, is_guarded)
     select ${uuid('connection', 'n')}, 1, '{}', false from generate_series(0, ${connections - 1}) n`,
    `insert into connection_schedules (connection_id, name, enabled)
     select ${uuid('connection', 'n * 100')}, 'master-inventory-sweep', false from generate_series(0,
       ${connections / 100 - 1}) n`,
    `insert into connection_pauses (connection_id, capability, reason, since, paused_by)
     select ${uuid('connection', 'n * 100')}, '', 'maintenance', now(),
       '{"kind": "token", "name": "admin", "tokenId": null}'
     from generate_series(0, ${connections / 100 - 1}) n`,
    `insert into webhook_receipts (connection_id, delivered_at, event_type)
     select ${uuid('connection', 'n')}, now(), 'stock.changed' from generate_series(0, ${connections - 1}) n`,
    `insert into webhook_refusals (connection_id, code, count, first_at, last_at)
     select ${uuid('connection', 'n * 10')}, 'LNK_SIGNATURE_MISMATCH', n, now(), now()
     from generate_series(0, ${connections / 10 - 1}) n`,
    `insert into jobs (${jobColumns}, outcome, problem, finished_at, died_at)
     select ${jobValues(`'object' || n % ${offers}`)},
       case when ${isDead} then ${failed} else ${attempt('')} end, ${jobAge},
       case when ${isDead} then 'dead' else 'succeeded' end, case when ${isDead} then ${problem} end,
       case when not (${isDead}) then ${jobAge} end, case when ${isDead} then ${jobAge} end
     from generate_series(${liveJobs} + 1, ${jobs}) n`,
    `insert into jobs (${jobColumns}, state, due_at, problem, failures)
     select ${jobValues("'live' || n")}, case when n % 4 = 0 then ${failed} else '[]' end, ${jobAge},
       case when n % 4 = 0 then 'returned' else 'queued' end,
       case when n % 4 = 0 then now() + n * interval '1 second' else ${jobAge} end,
       case when n % 4 = 0 then ${problem} end, case when n % 4 = 0 then 1 else 0 end
     from generate_series(1, ${liveJobs}) n`,
    `insert into products (id, connection_id, external_id, name, image_urls, created_at, updated_at)
     select ${uuid('product', 'n')}, ${uuid('connection', `n % ${masters}`)}, n, 'Product ' || n, '[]',
       ${ago(1)}, now()
     from generate_series(1, ${variants}) n`,
    `insert into variants (id, product_id, external_id, name, sku, ean, image_urls, created_at, updated_at)
     select ${uuid('variant', 'n')}, ${uuid('product', 'n')}, n, 'Variant ' || n, 'SKU-' || n,
       (5900000000000 + n)::text, '[]', ${ago(1)}, now()
     from generate_series(1, ${variants}) n`,
    `insert into stock (variant_id, quantity, updated_at)
     select ${uuid('variant', 'n')}, n % 20, now() from generate_series(1, ${variants}) n`,
    `insert into offers (id, connection_id, variant_id, external_id, status, price, quantity, stock_version,
       frozen_fields, problems, title, written_at, seen_at, upstream_quantity, created_at, updated_at)
     select ${uuid('offer', 'n')}, ${connection}, ${uuid('variant', `1 + n % ${variants}`)}, 'offer-' || n,
       (array['ACTIVE', 'ACTIVE', 'ACTIVE', 'INACTIVE', 'ENDED'])[1 + n % 5],
         '{"amount": "9.99", "currency": "EUR"}',
       (1 + n % ${variants}) % 20 + case when n % 200 = 1 then 1 else 0 end, 1,
       case when n % 1000 = 2 then '["stock"]'::jsonb else '[]' end,
       case when n % 100 = 3 then '[{"code": "marketplace", "detail": "The title is too long."}]'::jsonb else
         '[]' end,
       'Product ' || n, now(), now(), (1 + n % ${variants}) % 20 + case when n % 200 = 1 then 1 else 0 end,
         ${ago(1)}, now()
     from generate_series(1, ${offers}) n`,
    `insert into unlinked_offers (id, connection_id, external_id, reference, sku, ean, status, title,
       quantity, created_at)
     select ${uuid('unlinked', 'n')}, ${connection}, 'unlinked-' || n, 'SKU-' || n, 'SKU-' || n,
       (5900000000000 + n)::text, 'ACTIVE', 'Product ' || n, 1, ${ago(1)}
     from generate_series(1, ${unlinkedOffers}) n`,
    `insert into orders (id, connection_id, external_id, status, source_status, revision, snapshot, problems,
       placed_at,
       destination_connection_id, destination_external_id, created_at, updated_at)
     select ${uuid('order', 'n')}, ${connection}, 'order-' || n,
       case when n % 500 = 0 then 'failed' when n % 500 = 1 then 'awaiting_mapping' when n % 500 = 2 then
         'ready'
         when n % 10 = 3 then 'created' else 'delivered' end, 'paid', '1',
       '${JSON.stringify(snapshot)}',
       case when n % 500 = 0 then '[{"code": "not-created", "detail": "The shop refuses the order."}]'::jsonb
         else '[]' end,
       ${ago(20)}, ${uuid('connection', `n % ${masters}`)}, 'shop-' || n, ${ago(20)}, now()
     from generate_series(1, ${ordersOf}) n`,
    `insert into order_lines (order_id, external_id, offer_external_id, variant_id, quantity, is_reserved)
     select ${uuid('order', 'n')}, 'line-' || n, 'offer-' || (1 + n % ${offers}),
       case when n % 500 <> 1 then ${uuid('variant', `1 + n % ${variants}`)} end, 1, n % 500 = 2
     from generate_series(1, ${ordersOf}) n`,
    `insert into order_history (order_id, event, detail)
     select ${uuid('order', `n % ${ordersOf} + 1`)}, (array['ingested', 'created', 'updated'])[1 + n % 3], '{}'
     from generate_series(1, ${3 * ordersOf}) n`,
    `insert into audit_entries (id, at, actor_kind, actor_name, action, connection_id, object_id, object_name,
       changes)
     select ${uuid('audit', 'n')}, ${ago(60)}, 'token', 'token ' || n % 20,
       (array['connection.pause', 'connection.resume', 'connection.patch', 'connection.fail'])[1 + n % 4],
         ${connection},
       null, 'Shop', '[{"pointer": "/name", "from": "a", "to": "b"}]'
     from generate_series(1, ${auditEntries}) n`,
    `insert into inventory_sweeps (id, connection_id, phase, outcome, pages, seen, started_at, finished_at)
     select ${uuid('sweep', 'n')}, ${uuid('connection', `n % ${connections}`)}, 'stock',
       case when n % 500 = 0 then 'held' else 'complete' end, 10, 1000, ${ago(30)}, ${ago(30)}
     from generate_series(1, ${2 * connections}) n`,
    `insert into ignored_events (connection_id, event_id, event_type, delivery_id, provider, reason, event,
       ignored_at)
     select ${connection}, 'ignored' || n, 'a.b', ${uuid('ignored', 'n')}, '${platformType}',
       case when n % 20 = 0 then 'unknown event type' else 'unwanted event type' end,
       (${event} || jsonb_build_object('provider', '${platformType}', 'connectionId', ${connection},
         'eventId', 'ignored' || n))::text,
       ${ago(30)}
     from generate_series(1, ${ignoredEvents}) n`,
    `insert into api_tokens (id, name, scope, token_hash, parent_hash, created_at, created_by, expires_at,
       last_used_at)
     select ${uuid('token', 'n')}, 'token ' || n, 'read', md5('token' || n),
       case when n > 50 then md5('token' || n % 50) end, ${ago(60)}, 'admin', now() + interval '1 hour', now()
     from generate_series(1, 300) n`,
    `insert into connection_snapshots (id, connection_id, adapter_key, adapter_version, config, capabilities,
       cursors,
       created_at, to_adapter_key, to_adapter_version)
     select ${uuid('move', 'n')}, ${connection}, '${adapter}', '0.9.0', '{}', '[]', '[]', ${ago(600)},
       '${adapter}', '1.0.0'
     from generate_series(1, 2000) n`,
    `insert into redrives (id, state, is_open, filter, next_at, is_more, figures, started_by, created_at,
       ended_at)
     select ${uuid('redrive', 'n')}, 'done', false, '{"code": "LNK_ADAPTER_REJECTED"}', now(), false,
       '{"total": 5000, "retried": 5000, "succeeded": 5000, "deadAgain": 0, "cancelled": 0, "inProgress": 0,
         "skipped": [], "remaining": 0, "deaths": []}',
       '{"kind": "token", "name": "admin", "tokenId": null}', ${ago(3600)}, ${ago(3600)}
     from generate_series(1, ${redrives}) n`,
    `insert into redrive_jobs (redrive_id, position, job_id, fate)
     select ${uuid('redrive', '1')}, n, ${uuid('job', 'n * 50')}, 'succeeded' from generate_series(1,
       ${jobsOfRedrive}) n`,
    // Minutes of two days and hours of ninety: the hub, and those connections that did something.
    ...figuresOf(60, 2 * 1_440, 20, counts),
    ...figuresOf(3_600, 90 * 24, 100, counts),
    'reset session_replication_role',
    'vacuum analyze'
  ]
  for (const statement of statements) await query(statement)

  function figuresOf (seconds: number, rows: number, active: number, counted: typeof counts): string[] {
    const from = seconds === 60 ? '' : " - interval '2 days'"
    const begins = `to_timestamp(floor(extract(epoch from now()${from}) / ${seconds}) * ${seconds} - n * ${seconds})`
    const one = uuid('connection', `((n * ${active} + m) % ${connections})`)
    const gauges = 'queued, waiting, running, oldest_seconds, drift'
    return [
      `insert into figures (begins_at, seconds, connection_id, adapter, counts)
       select ${begins}, ${seconds}, null, null, ${counted(`${active}`)} from generate_series(1, ${rows}) n`,
      `insert into figures (begins_at, seconds, connection_id, adapter, counts)
       select ${begins}, ${seconds}, ${one}, '${adapter}', ${counted('1')}
       from generate_series(1, ${rows}) n, generate_series(1, ${active}) m`,
      `insert into samples (begins_at, seconds, connection_id, ${gauges})
       select ${begins}, ${seconds}, null, n % 100, n % 50, n % 10, n % 60, case when n % 5 = 0 then n % 30 end
       from generate_series(1, ${rows}) n`,
      `insert into samples (begins_at, seconds, connection_id, ${gauges})
       select ${begins}, ${seconds}, ${one}, 1, 1, 1, 1, case when n % 5 = 0 then 1 end
       from generate_series(1, ${rows}) n, generate_series(1, ${active}) m`
    ]
  }
}

/** Names some of these rows, as a person who opens a page names them. */
export async function nameRows (query: Query): Promise<NamedRows> {
  const [row] = await query<NamedRows>(`
    select ${uuid('connection', '1')} as "connectionId", ${uuid('connection', '9001')} as "quietConnectionId",
      ${uuid('offer', '201')} as "offerId", ${uuid('variant', '202')} as "variantId",
        ${uuid('order', '500')} as "orderId",
      ${uuid('job', '5000')} as "deadJobId", ${uuid('job', '5002')} as "deliveryId",
        ${uuid('redrive', '1')} as "redriveId"`)
  if (row === undefined) throw new Error('the database names no rows')
  return row
}
