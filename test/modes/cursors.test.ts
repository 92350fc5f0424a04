import t from 'tap'
import { openMarketplaceA } from '../support/marketplace-a.ts'
import { availableModes } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

interface Cursor {
  cursorKey: string
  value: string
  updatedAt: string
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: an operator sees, sets and resets how far the order journal has been read`, async t => {
    const { hub, market, authorise } = await openMarketplaceA(t, { mode })
    const id = await authorise()
    const path = `/connections/${id}/cursors`
    const list = async (): Promise<Cursor[]> => (await hub.call('GET', path)).json as Cursor[]
    const orders = async () => (await list()).find(({ cursorKey }) => cursorKey === 'orders')?.value
    /** Reads the journal and returns the events that it gave, and how many of them were new. */
    async function poll (): Promise<{ events: number, newEvents: number }> {
      const { json } = await hub.call('POST', '/jobs', {
        body: { jobType: 'marketplace.orders.poll', connectionId: id }
      })
      return (await hub.endOf((json as { jobId: string }).jobId)).result as { events: number, newEvents: number }
    }
    const place = () =>
      market.placeOrder({ status: 'READY_FOR_PROCESSING', lines: [{ offerId: '7680001234', quantity: 1 }] })

    t.strictSame(await list(), [])
    place()
    await poll()
    const beginning = await orders()
    place()
    await poll()
    const end = await orders()
    t.not(end, beginning)

    t.test('set back, the next poll reads the same events again', async t => {
      const { status } = await hub.call('PUT', `${path}/orders`, { body: { value: beginning } })
      t.equal(status, 204)
      t.equal(await orders(), beginning)
      const { events, newEvents } = await poll()
      t.ok(events > 0)
      t.equal(newEvents, 0, 'their jobs were made before')
      t.equal(await orders(), end)
    })

    t.test('reset, the next poll begins where a new connection begins', async t => {
      place()
      t.equal((await hub.call('DELETE', `${path}/orders`)).status, 204)
      t.strictSame(await list(), [])
      t.match(await poll(), { events: 0 })
      t.not(await orders(), end, 'this marketplace begins at the newest event')
    })

    t.test('a key that nobody reads is refused, unless the operator means it', async t => {
      const before = await list()
      const mistyped = await hub.call('PUT', `${path}/order`, { body: { value: '1' } })
      const absent = await hub.call('DELETE', `${path}/order`)
      t.match(problemOf(mistyped), { status: 404, code: 'LNK_CURSOR_NOT_FOUND', detail: /It has: orders$/ })
      t.strictSame(pointersOf(mistyped), ['/create'])
      t.match(problemOf(absent), { status: 404, code: 'LNK_CURSOR_NOT_FOUND' })
      t.strictSame(await list(), before)

      const key = encodeURIComponent('a/b ż')
      t.equal((await hub.call('PUT', `${path}/${key}`, { body: { value: '1', create: true } })).status, 204)
      t.match(await list(), [{ cursorKey: 'a/b ż', value: '1' }, { cursorKey: 'orders' }])
      t.equal((await hub.call('DELETE', `${path}/${key}`)).status, 204)
      t.strictSame(await list(), before)
    })

    t.test('bad input is refused and changes nothing', async t => {
      const before = await list()
      for (
        const [key, body] of [
          ['orders', {}],
          ['orders', { value: 7 }],
          ['orders', { value: '' }],
          ['orders', { value: 'a\0b' }],
          ['orders', { value: 'x'.repeat(65_537) }],
          ['orders', { value: '1', other: true }],
          ['__proto__', { value: '1', create: true }],
          ['a%00b', { value: '1', create: true }],
          ['x'.repeat(201), { value: '1', create: true }]
        ] as const
      ) {
        const answer = await hub.call('PUT', `${path}/${key}`, { body })
        t.match(problemOf(answer), { status: 400, code: 'LNK_REQUEST_INVALID' }, `${key.slice(0, 20)}`)
      }
      t.equal((await hub.call('DELETE', `${path}/orders?waitSeconds=31`)).status, 400)
      t.strictSame(await list(), before)
      const nowhere = '/connections/00000000-0000-4000-8000-000000000000/cursors'
      for (
        const answer of await Promise.all([
          hub.call('GET', nowhere),
          hub.call('PUT', `${nowhere}/orders`, { body: { value: '1', create: true } }),
          hub.call('DELETE', `${nowhere}/orders`)
        ])
      ) t.match(problemOf(answer), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
    })

    t.test('the audit names each change with the value before and after', async t => {
      const { json } = await hub.call('GET', `/audit?connectionId=${id}&limit=50`)
      const entries = (json as { action: string, objectId: string, changes: object[] }[]).filter(({ action }) =>
        action.includes('cursor')
      )

      t.match(entries.map(({ action, objectId }) => `${action} ${objectId}`), [
        'cursor.reset a/b ż',
        'cursor.set a/b ż',
        'cursor.reset orders',
        'cursor.set orders'
      ])
      t.strictSame(entries.slice(-2).map(({ changes }) => changes), [
        [{ pointer: '/orders', from: end }],
        [{ pointer: '/orders', from: end, to: beginning }]
      ])
    })
  })
}
