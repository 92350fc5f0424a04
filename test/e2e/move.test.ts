import t from 'tap'
import { installShopaVersions, shopaPackages } from '../fixtures/shopa-versions.ts'
import { eventually } from '../support/api.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { createMover, reasonsOf, type Move } from '../support/moves.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

const v1 = 'shopa.webservice.v1'
const v2 = 'shopa.webservice.v2'
const v3 = 'shopa.webservice.v3'
const released = { adapterKey: v1, adapterVersion: '0.1.0' }

t.test('moving a connection', async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    install: installShopaVersions,
    config: { adapters: shopaPackages() }
  })
  const { read, move, rollback, start, end, setCursor, cursors, isMoving, state } = createMover(hub)
  const connect = (more: object = {}): Promise<string> => hub.connect('shopa', { ...released, ...more })

  /** Starts a job that runs until `letEnd`: the shop does not answer before. */
  async function startHeld (connectionId: string): Promise<{ id: string, letEnd: () => void }> {
    const held = Promise.withResolvers<void>()
    hub.shop.faults.add({ path: /\/api\/products/, until: held.promise })
    const id = await start(connectionId, '27')
    await eventually('its request', async () => hub.shop.faults.pending() === 0 ? true : undefined)
    return { id, letEnd: held.resolve }
  }

  t.test(
    'versions of one adapter and its next major serve three connections at the same time, and each job tells ' +
      'which',
    async t => {
      const connections = [
        await connect(),
        await connect({ adapterVersion: '0.2.0' }),
        await connect({ adapterKey: v2, adapterVersion: '2.0.0' })
      ]
      const held = Promise.withResolvers<void>()
      hub.shop.faults.add({ path: /products/, until: held.promise, times: 3 })
      hub.shop.requests.clear()

      const ids = await Promise.all(connections.map(connectionId => start(connectionId, '28')))
      await eventually('a request of each', async () => hub.shop.faults.pending() === 0 ? true : undefined)
      const together = await Promise
        .all(ids.map(async id => ((await hub.call('GET', `/jobs/${id}`)).json as Job).status))
      held.resolve()
      const jobs = await Promise.all(ids.map(end))
      const served = hub.shop.requests.matching({ path: /products/ }).map(({ headers }) =>
        headers['x-served-by'] ?? 'released'
      )
      const products = await Promise
        .all(connections.map(async id =>
          (await hub.call('GET', `/products?connectionId=${id}`)).json as { name: string }[]
        ))

      t.strictSame(together, ['running', 'running', 'running'])
      t.strictSame(jobs.map(({ status, adapter }) => [status, adapter]), [['succeeded', `${v1}@0.1.0`], [
        'succeeded',
        `${v1}@0.2.0`
      ], ['succeeded', `${v2}@2.0.0`]])
      t.strictSame([...new Set(served)].toSorted(), ['0.2.0', 'released'])
      t.strictSame(products.map(([product]) => product?.name), ['Plate', 'Plate', 'SKU-28 Plate'])
    }
  )

  t.test('a dry run says what a move would do and changes nothing', async t => {
    const id = await connect({ config: { shopId: '1', baseUrl: 'https://shop.example', note: 'kept' } })
    await setCursor(id, 'orders', '17')
    const before = await state()
    const dry = await move(id, { adapterKey: v2, adapterVersion: '^2.0.0', dryRun: true })
    const unconfirmed = await move(id, { adapterVersion: '0.3.0-rc.1', dryRun: true })
    const refused = await move(id, { adapterVersion: '0.4.0-rc.1', dryRun: true })
    const mapped = await move(id, { adapterVersion: '0.6.0-rc.1', dryRun: true })

    t.strictSame(await state(), before)
    t.strictSame(dry.json, {
      from: { adapterKey: v1, adapterVersion: '0.1.0', version: '0.1.0' },
      to: { adapterKey: v2, adapterVersion: '^2.0.0', version: '2.0.0' },
      changes: {
        config: [{ pointer: '/baseUrl', from: 'https://shop.example' }, { pointer: '/shopId', from: '1', to: 1 }, {
          pointer: '/shopUrl',
          to: 'https://shop.example'
        }],
        capabilities: { lost: [], gained: [] },
        permissions: { grown: [], dropped: [] },
        migrations: [{ from: v1, to: '2.0.0', direction: 'up', isReversible: true }],
        events: [{ eventType: 'order.created', from: 'shopa.order.syncByExternalId' }, {
          eventType: 'order.status_changed',
          from: 'shopa.order.syncByExternalId'
        }]
      },
      warnings: [{ pointer: '/config/note', code: 'additionalProperties', message: 'is not a known member' }],
      applied: false
    })
    t.match(unconfirmed.json, {
      applied: false,
      changes: { capabilities: { lost: ['ProductMaster'] }, permissions: { grown: ['start jobs on a schedule'] } },
      warnings: [{ code: 'additionalProperties' }, { code: 'capability-lost' }, { code: 'permission-grown' }]
    })
    t.equal(refused.status, 409)
    t.strictSame((mapped.json as Move).changes.events, [
      { eventType: 'order.created', from: 'shopa.order.syncByExternalId' },
      { eventType: 'order.status_changed', from: 'shopa.order.syncByExternalId' },
      { eventType: 'price.changed', to: 'master.product.syncByExternalId' }
    ])
    t.strictSame(
      { ...(await move(id, { adapterKey: v2, adapterVersion: '^2.0.0' })).json as Move, applied: false },
      dry.json,
      'the move answers the same'
    )
    t.match(await read(id), {
      adapterKey: v2,
      adapterVersion: '^2.0.0',
      config: { shopId: 1, shopUrl: 'https://shop.example', note: 'kept' }
    })
    t.match(await end(await start(id, '28')), { status: 'succeeded', adapter: `${v2}@2.0.0` })
  })

  t.test('a wrong request is a 400 that names what is installed', async t => {
    const id = await connect()
    const [key, version, platform, odd, missing] = await Promise.all([
      move(id, { adapterKey: 'shopa.webservice.v9', adapterVersion: '1.0.0' }),
      move(id, { adapterVersion: '7.0.0' }),
      move(id, { adapterKey: 'mktb.shopapi.v1', adapterVersion: '9.9.9' }),
      move(id, { adapterVersion: '0.2.0', force: true }),
      move(id, { adapterKey: v2 })
    ])

    t.match(problemOf(key), {
      status: 400,
      code: 'LNK_CONNECTION_INVALID',
      detail: /shopa\.webservice\.v1, shopa\.webservice\.v2/
    })
    t.match(problemOf(version), {
      status: 400,
      detail: /loaded: 0\.6\.0-rc\.1, 0\.5\.0-rc\.1, 0\.4\.0-rc\.1, 0\.3\.0-rc\.1, 0\.2\.0, 0\.1\.0/
    })
    t.equal(platform.status, 400)
    t.strictSame(pointersOf(platform), ['/adapterKey'])
    t.strictSame(pointersOf(odd), ['/force'])
    t.strictSame(pointersOf(missing), ['/adapterVersion'])
    t.match(await read(id), released)
  })

  t.test('all reasons that a connection cannot be moved are told at once, and it stays as it is', async t => {
    const id = await connect({ config: { shopId: '1' } })
    const [both, test, skipped, majors] = [
      await move(id, { adapterVersion: '0.4.0-rc.1' }),
      await move(id, { adapterVersion: '0.5.0-rc.1' }),
      await move(id, { adapterVersion: '0.5.0-rc.1', test: false, dryRun: true }),
      await hub.call('PATCH', `/connections/${id}`, { body: { adapterKey: v2 } })
    ]

    t.match(problemOf(both), { status: 409, code: 'LNK_MOVE_REFUSED' })
    t.strictSame(reasonsOf(both).toSorted(), ['/config/region required', '/credentials/tenant required'])
    t.strictSame(reasonsOf(test), ['/test test-failed'])
    t.match(problemOf(test), { detail: /no_such_resource/ })
    t.notMatch(test.text, new RegExp(hub.keys.shop))
    t.equal(skipped.status, 200)
    t.strictSame([majors.status, pointersOf(majors)], [400, ['/config/shopId']], 'a patch migrates nothing')
    t.match(
      await read(id),
      { ...released, status: 'active' },
      'a failed test with another version is no failure of the connection'
    )
    t.notOk(await isMoving(id))
  })

  t.test('losing capabilities or granting permissions needs a confirmation', async t => {
    const id = await connect()
    const refused = await move(id, { adapterVersion: '0.3.0-rc.1' })
    const moved = await move(id, { adapterVersion: '0.3.0-rc.1', confirm: true })

    t.match(problemOf(refused), {
      status: 409,
      code: 'LNK_MOVE_UNCONFIRMED',
      errors: [{ code: 'capability-lost', message: /ProductMaster/ }, { code: 'permission-grown', message: /schedule/ }]
    })
    t.match(moved.json, { applied: true })
    t.strictSame((await read(id)).capabilities.toSorted(), ['InventoryMaster', 'OrderProcessorManager'])
    t.match((await move(id, { adapterVersion: '0.2.0' })).json, {
      applied: true,
      changes: { capabilities: { gained: ['ProductMaster'] }, permissions: { dropped: ['start jobs on a schedule'] } }
    })
    t.strictSame((await read(id)).capabilities.toSorted(), [
      'InventoryMaster',
      'OrderProcessorManager',
      'ProductMaster'
    ], 'it had all that its version could')
  })

  t.test('a choice of capabilities stays a choice', async t => {
    const id = await connect({ capabilities: ['InventoryMaster'] })

    t.match((await move(id, { adapterVersion: '0.2.0' })).json, {
      changes: { capabilities: { lost: { length: 0 }, gained: { length: 0 } } }
    })
    t.strictSame((await read(id)).capabilities.toSorted(), ['InventoryMaster'])
  })

  t.test(
    'a migration without a way back needs a confirmation; after it only a config that fits as it is goes back, ' +
      'or the rollback',
    async t => {
      const [id, plain] = [await connect({ config: { shopId: '1' } }), await connect()]
      const refused = await move(id, { adapterKey: v3, adapterVersion: '3.0.0' })
      const moved = await move(id, { adapterKey: v3, adapterVersion: '3.0.0', confirm: true })
      await move(plain, { adapterKey: v3, adapterVersion: '3.0.0', confirm: true })
      const [back, fits] = [await move(id, released), await move(plain, released)]

      t.match(problemOf(refused), { code: 'LNK_MOVE_UNCONFIRMED', errors: [{ pointer: '/config', code: 'one-way' }] })
      t.match((moved.json as Move).changes.config, [{ pointer: '/shopId', from: '1', to: 1 }, {
        pointer: '/token',
        isSecret: true
      }])
      t.notMatch(moved.text, /canary/)
      t.strictSame(reasonsOf(back).toSorted(), ['/config one-way', '/config/shopId type'])
      t.match(fits.json, { applied: true, changes: { migrations: { length: 0 } } })
      t.match((await rollback(id)).json, { applied: true, to: { version: '0.1.0' } })
      t.strictSame((await read(id)).config, { shopId: '1' })
    }
  )

  t.test('moving back to an older major migrates the config down', async t => {
    const id = await connect({ config: { shopId: '7', imageType: 'home' } })
    await move(id, { adapterKey: v2, adapterVersion: '2.0.0' })
    const back = await move(id, released)

    t.match(back.json, { applied: true, changes: { migrations: [{ from: v1, to: '2.0.0', direction: 'down' }] } })
    t.strictSame((await read(id)).config, { shopId: '7', imageType: 'home' })
  })

  t.test('a rollback restores version, config, capabilities and cursors, and says what is given up', async t => {
    const id = await connect({ config: { shopId: '1' }, capabilities: ['ProductMaster'] })
    await setCursor(id, 'orders', '17')
    await move(id, { adapterKey: v2, adapterVersion: '2.0.0' })
    const untouched = await rollback(id, { dryRun: true })
    await hub.call('PATCH', `/connections/${id}`, {
      body: { config: { imageType: 'home' }, capabilities: ['ProductMaster', 'InventoryMaster'] }
    })
    await setCursor(id, 'orders', '18')
    await setCursor(id, 'prices', '3')
    const before = await state()
    const dry = await rollback(id, { dryRun: true })
    const unchanged = await state()
    const back = await rollback(id)

    t.strictSame((untouched.json as Move).warnings, [])
    t.strictSame(unchanged, before)
    t.match(back.json, {
      applied: true,
      from: { adapterKey: v2 },
      to: released,
      changes: { config: [{ pointer: '/imageType', from: 'home' }, { pointer: '/shopId', from: 1, to: '1' }] }
    })
    t.strictSame((back.json as Move).warnings.map(({ pointer, code }) => `${pointer} ${code}`), [
      '/config/imageType given-up',
      '/cursors/orders given-up',
      '/cursors/prices given-up'
    ])
    t.strictSame(back.json, { ...dry.json as Move, applied: true })
    t.match(await read(id), { ...released, config: { shopId: '1' }, capabilities: { 0: 'ProductMaster', length: 1 } })
    t.strictSame(await cursors(id), [['orders', '17']])
    t.match(await end(await start(id, '28')), { status: 'succeeded', adapter: `${v1}@0.1.0` })
  })

  t.test('rolling back again undoes the move before, until there is none', async t => {
    const id = await connect()
    await move(id, { adapterVersion: '0.2.0' })
    await move(id, { adapterVersion: 'latest' })
    await hub.call('PATCH', `/connections/${id}`, { body: { adapterVersion: '^0.1.0' } })
    const pins = ['^0.1.0']
    for (let moves = 0; moves < 3; moves++) {
      await rollback(id)
      pins.push((await read(id)).adapterVersion)
    }

    t.strictSame(pins, ['^0.1.0', 'latest', '0.2.0', '0.1.0'], 'a patch of the pin is a move, too')
    t.strictSame(reasonsOf(await rollback(id)), [' no-snapshot'])
  })

  t.test('a connection that is at its destination is not moved and has nothing to roll back', async t => {
    const id = await connect()
    const moved = await move(id, { adapterVersion: '0.1.0' })
    await hub.call('PATCH', `/connections/${id}`, { body: { ...released, name: 'Renamed' } })

    t.match(moved, { status: 200, json: { applied: false } })
    t.equal((await rollback(id)).status, 409)
  })

  t.test('If-Match refuses a move of a connection that has changed since', async t => {
    const id = await connect()
    const { etag } = (await hub.call('PATCH', `/connections/${id}`, { body: { name: 'Renamed' } })).headers
    const [stale, current] = [
      await move(id, { adapterVersion: '0.2.0' }, { 'if-match': '"1"' }),
      await move(id, { adapterVersion: '0.2.0' }, { 'if-match': String(etag) })
    ]

    t.match(problemOf(stale), { status: 412 })
    t.match(current.json, { applied: true })
    t.equal(
      (await rollback(id, {}, { 'if-match': String(etag) })).status,
      412,
      'a rollback that is repeated by mistake does not undo one move more'
    )
    t.match(await read(id), { adapterVersion: '0.2.0' })
  })

  t.test('a successful test with the new version ends the error of the connection', async t => {
    const id = await connect()
    await hub.call('PATCH', `/connections/${id}`, { body: { status: 'error' } })
    const waiting = await start(id, '28')
    await move(id, { adapterVersion: '0.2.0' })

    t.match(await read(id), { status: 'active' })
    t.match(await end(waiting), { status: 'succeeded', adapter: `${v1}@0.2.0` })
  })

  t.test(
    'jobs wait while it is decided, those of other connections run, and the job that runs ends on the version ' +
      'before',
    async t => {
      const [id, other] = [await connect(), await connect()]
      const { id: running, letEnd } = await startHeld(id)
      const moving = move(id, { adapterVersion: '0.2.0', test: false })
      await eventually('the mark', async () => await isMoving(id) ? true : undefined)
      const waiting = await start(id, '28')
      const [second, patched, undone] = await Promise.all([
        move(id, { adapterVersion: '0.3.0-rc.1', test: false, confirm: true }),
        hub.call('PATCH', `/connections/${id}`, { body: { adapterVersion: 'latest' } }),
        rollback(id)
      ])
      const elsewhere = await end(await start(other, '28'))
      const meanwhile = (await hub.call('GET', `/jobs/${waiting}`)).json as Job
      letEnd()
      const moved = await moving
      const [before, after] = [await end(running), await end(waiting)]

      t.match(problemOf(second), { status: 409, code: 'LNK_CONNECTION_MOVING' })
      t.match(problemOf(patched), { status: 409, code: 'LNK_CONNECTION_MOVING' })
      t.equal(undone.status, 409)
      t.match(elsewhere, { status: 'succeeded' })
      t.match(meanwhile, { status: 'queued', attempts: { length: 0 } })
      t.match(moved.json, { applied: true })
      t.match([before, after], [{ status: 'succeeded', adapter: `${v1}@0.1.0` }, {
        status: 'succeeded',
        adapter: `${v1}@0.2.0`
      }])
      t.ok(Date.parse(before.finishedAt ?? '') <= Date.parse(after.attempts[0]?.startedAt ?? ''))
      t.notOk(await isMoving(id))
    }
  )

  t.test('a move that jobs do not make room for is given up, names them, and everything goes on', async t => {
    const id = await connect()
    const { id: hanging, letEnd } = await startHeld(id)
    const refused = await move(id, { adapterVersion: '0.2.0', test: false, waitSeconds: 1 })
    letEnd()
    const next = await end(await start(id, '28'))

    t.match(problemOf(refused), {
      status: 409,
      code: 'LNK_CONNECTION_BUSY',
      detail: new RegExp(`within 1 s: ${hanging} \\(master\\.product`),
      errors: [{ pointer: `/jobs/${hanging}`, code: 'running' }]
    })
    t.notOk(await isMoving(id))
    t.match(await read(id), released)
    t.match(next, { status: 'succeeded', adapter: `${v1}@0.1.0` })
    t.match(await end(hanging), { status: 'succeeded', adapter: `${v1}@0.1.0` })
    t.strictSame(reasonsOf(await rollback(id)), [' no-snapshot'])
  })

  t.test('the mark of a process that died keeps jobs and moves waiting until it lapses', async t => {
    const id = await connect()
    const markUntil = (when: string): Promise<unknown> =>
      hub.database().query(
        `
        insert into job_holds (group_id, part, reason, lapses_at) values ($1, '', 'moving', ${when})
        on conflict (group_id, part, reason) do update set lapses_at = excluded.lapses_at`,
        [id]
      )
    await markUntil("now() + interval '1 hour'")
    const job = await start(id, '28')
    // The poll that claims another connection's job does not claim ours.
    await end(await start(await connect(), '28'))
    const waiting = (await hub.call('GET', `/jobs/${job}`)).json as Job
    const refused = await move(id, { adapterVersion: '0.2.0', test: false })
    await markUntil('now()')

    t.match(waiting, { status: 'queued', attempts: { length: 0 } })
    t.match(problemOf(refused), { status: 409, code: 'LNK_CONNECTION_MOVING' })
    t.match(await end(job), { status: 'succeeded', attempts: { length: 1 } })
    t.match((await move(id, { adapterVersion: '0.2.0' })).json, { applied: true })
  })

  t.test('a config that changes while jobs end is not overwritten by what was made of the one before', async t => {
    const id = await connect({ config: { shopId: '1' } })
    const { id: running, letEnd } = await startHeld(id)
    const moving = move(id, { adapterKey: v2, adapterVersion: '2.0.0', test: false })
    await eventually('the mark', async () => await isMoving(id) ? true : undefined)
    await hub.call('PATCH', `/connections/${id}`, { body: { config: { shopId: '2' } } })
    letEnd()

    t.strictSame(reasonsOf(await moving), [' changed'])
    t.match(await read(id), { ...released, config: { shopId: '2' } })
    t.notOk(await isMoving(id))
    await end(running)
  })

  t.test('without the version of a connection, or the one before, moves say so and lead out of it', async t => {
    const [id, back, secret] = [
      await connect({ config: { note: 'x' } }),
      await connect(),
      await connect({ adapterVersion: '0.3.0-rc.1' })
    ]
    await move(secret, { adapterKey: v3, adapterVersion: '3.0.0', confirm: true })
    await move(back, { adapterKey: v2, adapterVersion: '2.0.0' })
    await move(id, { adapterVersion: '0.2.0' })
    await hub.restart({
      config: {
        adapters: shopaPackages(['0.3.0-rc.1']).filter(name =>
          !['@linker/adapter-shopa-v1', '@linker/adapter-shopa-v1-3'].includes(name)
        )
      }
    })
    const hidden = await rollback(secret, { dryRun: true })
    const missing = await rollback(back)
    const moved = await move(id, { adapterKey: v2, adapterVersion: '2.0.0', dryRun: true })

    t.match(problemOf(missing), {
      status: 409,
      code: 'LNK_MOVE_REFUSED',
      errors: [{
        pointer: '/adapterVersion',
        code: 'missing',
        message: /installed in version 0\.3\.0-rc\.1, not in version 0\.1\.0/
      }]
    })
    t.match(moved.json, {
      from: { version: null },
      to: { version: '2.0.0' },
      changes: { migrations: [{ direction: 'up' }], permissions: { grown: { length: 2 } } }
    }, 'what the missing version was permitted is unknown')
    t.match(hidden.json, {
      from: { adapterKey: v3, version: null },
      changes: { config: [{ pointer: '/token', isSecret: true }] }
    })
    t.notMatch(hidden.text, /canary/)
    t.match(problemOf(await move(id, { adapterKey: v2, adapterVersion: '2.0.0' })), { code: 'LNK_MOVE_UNCONFIRMED' })
    t.match((await move(id, { adapterKey: v2, adapterVersion: '2.0.0', confirm: true })).json, { applied: true })
  })
})
