import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { scrape, seriesOf } from '../support/metrics.ts'
import { availableModes } from '../support/modes.ts'

interface Item {
  key: string
  kind: string
  severity: string
  since: string | null
  count: number
  connectionId?: string
  connectionName?: string
  detail: string
  code?: string
  target: string
}

async function attention (hub: TestHub): Promise<Item[]> {
  const { status, json, text } = await hub.call('GET', '/attention')
  if (status !== 200) throw new Error(text)
  return json as Item[]
}

/** Waits for an item: the hub answers with a look that may be a second old. */
async function itemOf (hub: TestHub, kind: string): Promise<Item> {
  return eventually(`an item of kind ${kind}`, async () => (await attention(hub)).find(item => item.kind === kind))
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

async function start (hub: TestHub, connectionId: string, externalId: string): Promise<string> {
  const { json } = await hub.call('POST', '/jobs', {
    body: { jobType: 'master.product.syncByExternalId', connectionId, payload: { externalId } }
  })
  return (json as { jobId: string }).jobId
}

/** Rows that another process could have stored. */
async function storeFacts (hub: TestHub, { shop, market }: { shop: string, market: string }): Promise<void> {
  const { query } = hub.database()
  await query(
    `insert into inventory_sweeps (id, connection_id, outcome, missing, finished_at)
    values (gen_random_uuid(), $1, 'held', 17, now())`,
    [shop]
  )
  await query(
    `insert into orders (
      id, connection_id, external_id, status, source_status, revision, snapshot, placed_at, created_at, updated_at
    )
    select gen_random_uuid(), $1, status || number, status, 'processing', '1',
      '{"buyer":{"email":"jan@kowalski.example"},"total":{"amount":"1.00","currency":"PLN"}}', at, at, at
    from (values ('failed'), ('awaiting_mapping'), ('ready')) as given (status),
      generate_series(1, 3) as number,
      (select now() - interval '2 hours' as at) as times`,
    [market]
  )
  await query(
    `insert into orders (
      id, connection_id, external_id, status, source_status, revision, snapshot, problems, placed_at, created_at,
      updated_at
    )
    select gen_random_uuid(), $1, 'lost', 'created', 'processing', '1', snapshot,
      '[{"code":"missing-in-shop","detail":"the shop lost order 7 of Jan Kowalski"}]', now(), now(), now()
    from orders where external_id = 'ready1'`,
    [market]
  )
  await query(
    `insert into orders (
      id, connection_id, external_id, status, source_status, revision, snapshot, placed_at, created_at, updated_at,
      untold_setting, untold_at
    )
    select gen_random_uuid(), $1, 'shipped' || number, 'shipped', 'processing', '1', '{"buyer":{}}', now(), now(),
      now(), 'orderWriteBack', now()
    from generate_series(1, 2) as number`,
    [market]
  )
  await query("update connections set config = config - 'orderWriteBack' where id = $1", [market])
  await query(
    `insert into webhook_receipts (connection_id, delivered_at, event_type)
    values ($1, now() - interval '9 days', 'product.saved')`,
    [shop]
  )
  await query(
    `insert into webhook_secrets (
      id, connection_id, secret_json, encrypted, created_at, installed_at, pinged_at, ping_problem
    )
    values (gen_random_uuid(), $1, '{"secret":"s"}', false, now(), now(), now(), 'the address answered 404')`,
    [market]
  )
  await query(
    `insert into ignored_events (
      connection_id, event_id, event_type, delivery_id, provider, reason, event, message
    )
    select $1::uuid, 'event' || n, 'price.changed', gen_random_uuid(), 'shopa', 'unknown event type',
      json_build_object(
        'provider', 'shopa', 'connectionId', $1::uuid, 'eventId', 'event' || n, 'eventType', 'price.changed',
        'objectType', 'product', 'externalId', '27', 'publishedAt', '2026-01-31T12:00:00.000Z'
      ), '{}'
    from generate_series(1, 3) n`,
    [shop]
  )
  await query(
    `insert into upstream_states (connection_id, version, state, is_guarded)
    values ($1, 1, json_build_object('breaker', json_build_object(
      'openedAt', (extract(epoch from now()) * 1000)::bigint - 3600000,
      'openUntil', (extract(epoch from now()) * 1000)::bigint + 3600000,
      'openings', 4, 'failure', 'HTTP 503'
    ), 'areas', json_build_object('module', json_build_object(
      'throttledUntil', (extract(epoch from now()) * 1000)::bigint + 3600000,
      'rest', json_build_object(
        'since', (extract(epoch from now()) * 1000)::bigint - 180000,
        'reason', 'maintenance page, 503',
        'isAway', true
      )
    ))), true)`,
    [market]
  )
  await query(
    `update integration_credentials set credentials_json = credentials_json || jsonb_build_object('expiresAt', $2::text)
    where ref = (select substr(credentials_ref, 4) from connections where id = $1)`,
    [shop, inDays(3)]
  )
}

/** An offer whose seller froze more pieces than the shop has. */
async function storeOversold (hub: TestHub, { shop, market }: { shop: string, market: string }): Promise<void> {
  await hub.endOf(await start(hub, shop, '27'))
  await hub.database().query(
    `with known as (
      insert into stock (variant_id, quantity, updated_at, read_at)
      select id, 1, now(), now() from variants limit 1
      on conflict (variant_id) do update set quantity = 1
      returning variant_id
    )
    insert into offers (
      id, connection_id, variant_id, external_id, status, quantity, upstream_quantity, frozen_fields, problems,
      created_at, updated_at
    )
    select gen_random_uuid(), $1, variant_id, 'frozen', 'ACTIVE', 0, 9999, '["stock"]', '[]', now(), now()
    from known`,
    [market]
  )
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: the hub says what needs a person`, async t => {
    const hub = await buildTestHub(t, { mode })
    const shop = await hub.connect('shopa', { name: 'My shop' })
    const market = await hub.connect('mktb', { name: 'My market' })
    const [away, refused] = [await hub.connect('shopa'), await hub.connect('shopa', { name: 'Refused' })]
    const { query } = hub.database()

    await t.test('a hub that works has nothing to say but its settings', async t => {
      const items = await attention(hub)

      t.strictSame(items.map(({ kind, severity }) => [kind, severity]), [
        ['schedules-off', 'info'],
        ['unsafe-setting', 'info']
      ])
    })

    await t.test('each fact is an item, whose target shows it', async t => {
      await hub.endOf(await start(hub, shop, 'nowhere'))
      await storeOversold(hub, { shop, market })
      await storeFacts(hub, { shop, market })
      await hub.call('POST', '/tokens', { body: { name: 'ci', scope: 'read', expiresAt: inDays(2) } })
      await query("update api_tokens set created_at = created_at - interval '30 days' where name = 'ci'")
      await hub.call('POST', `/connections/${market}/pause`, { body: { reason: 'stocktaking' } })
      await query("update connections set adapter_version = '99.0.0', version = version + 1 where id = $1", [away])
      await query(
        `update connections set status = 'error', status_reason = 'the key was revoked', version = version + 1
        where id = $1`,
        [refused]
      )
      // Nothing runs while a move does. A short hold keeps no job from being late.
      await query(
        `insert into job_holds (group_id, part, reason, lapses_at)
        values ($1, '', 'moving', now() + interval '1 hour')`,
        [shop]
      )
      const late = await start(hub, shop, '27')
      await query("update jobs set due_at = now() - interval '10 minutes' where id = $1", [late])

      await query(
        `insert into redrives (id, state, is_open, filter, first, next_at, is_more, figures, started_by, created_at)
        values (gen_random_uuid(), 'waiting', false, '{"jobType":"a.b"}', 1, now(), false, $1, $2, now())`,
        [
          JSON.stringify({
            total: 8,
            retried: 1,
            succeeded: 1,
            deadAgain: 0,
            cancelled: 0,
            inProgress: 0,
            remaining: 7,
            skipped: [],
            deaths: []
          }),
          JSON.stringify({ kind: 'token', name: 'Anna', tokenId: null })
        ]
      )

      await itemOf(hub, 'late-jobs')
      const items = await attention(hub)

      const expected: Record<string, [severity: string, count: number, connection: string | undefined]> = {
        'adapter-away': ['error', 1, away],
        'breaker-open': ['error', 1, market],
        'connection-error': ['error', 1, refused],
        'dead-jobs': ['error', 1, shop],
        'ending-credentials': ['warning', 1, shop],
        'ending-token': ['warning', 1, undefined],
        'failed-orders': ['error', 3, market],
        'held-sweep': ['warning', 17, shop],
        'ignored-events': ['warning', 3, shop],
        'late-jobs': ['warning', 1, shop],
        oversell: ['error', 1, market],
        'pause-open': ['info', 1, market],
        'platform-resting': ['warning', 1, market],
        'schedules-off': ['info', 8, undefined],
        'silent-webhooks': ['warning', 1, shop],
        'stuck-orders': ['warning', 3, market],
        'troubled-orders': ['warning', 1, market],
        'unmapped-orders': ['error', 3, market],
        'unreached-webhooks': ['warning', 1, market],
        'unsafe-setting': ['info', 1, undefined],
        'untold-shipments': ['warning', 2, market],
        'waiting-redrive': ['info', 7, undefined]
      }
      const found = items.map(({ kind, severity, count, connectionId }) =>
        [kind, [severity, count, connectionId]] as const
      )
      t.strictSame(Object.fromEntries(found.toSorted()), expected)
      t.equal(new Set(items.map(({ key }) => key)).size, items.length)
      t.strictSame(
        items.map(({ severity }) => severity),
        [
          ...items.filter(({ severity }) => severity === 'error'),
          ...items.filter(({ severity }) => severity === 'warning'),
          ...items.filter(({ severity }) => severity === 'info')
        ].map(({ severity }) => severity)
      )
      t.match(items.find(({ kind }) => kind === 'dead-jobs'), {
        connectionName: 'My shop',
        title: /^'nowhere', 'My shop': /,
        code: 'LNK_ADAPTER_REJECTED'
      })
      for (const { kind, target } of items) t.equal((await hub.call('GET', target)).status, 200, `${kind}: ${target}`)
      const text = JSON.stringify(items)
      for (const secret of [...Object.values(hub.keys), 'kowalski']) t.notOk(text.includes(secret))
    })

    await t.test('a scrape counts the items of each kind', async t => {
      const series = await eventually('the figures', async () => {
        const found = seriesOf(await scrape(hub), 'linker_attention')
        return found['kind="dead-jobs"'] === undefined ? undefined : found
      })

      t.equal(series['kind="alert-channel"'], 0)
      t.equal(Object.keys(series).length, 38)
    })

    await t.test('an adapter is away until no process lacks it, whichever process looks', async t => {
      const shopItem = async () =>
        (await attention(hub)).find(({ kind, connectionId }) => kind === 'adapter-away' && connectionId === shop)
      t.equal(await shopItem(), undefined)
      await query(
        `
        insert into processes (id, role, version, host, pid, started_at, seen_at, adapters_away)
        select gen_random_uuid(), 'worker', '1.0.0', 'other', 4711, now(), now(), jsonb_build_array(
          jsonb_build_object('adapterKey', adapter_key, 'adapterVersion', adapter_version, 'problem', 'too old')
        )
        from connections
        where id = $1`,
        [shop]
      )

      const detail = /^too old\. Jobs of 'My shop' wait that begin in process 4711 on other;/
      t.match(await eventually('the item', shopItem), { severity: 'error', count: 1, detail })
      await query("update processes set seen_at = now() - interval '2 minutes' where host = 'other'")
      await eventually('the item to go', async () => await shopItem() === undefined ? true : undefined)
    })

    await t.test('what is gone is no item any more', async t => {
      await query('delete from job_holds where group_id = $1', [shop])
      await query("update connections set status = 'disabled', version = version + 1 where id = any($1::uuid[])", [
        [away, refused]
      ])
      await hub.call('POST', `/connections/${market}/resume`, { body: {} })

      const gone = ['late-jobs', 'adapter-away', 'connection-error', 'pause-open']
      await eventually(
        'the items to go',
        async () => (await attention(hub)).some(({ kind }) => gone.includes(kind)) ? undefined : true
      )
      t.pass('they are gone')
    })
  })
}
