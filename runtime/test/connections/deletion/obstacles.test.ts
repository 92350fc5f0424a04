import t from 'tap'
import { findObstacles, isAtRest, refuseDeletion } from '../../../src/connections/deletion/obstacles.ts'
import type { Pause } from '../../../src/connections/pauses/schemas.ts'
import type { Query } from '../../../src/database/database.ts'

const unused: Query = async () => {
  throw new Error('no statement is needed')
}
const belongings = (orders: number, ...uses: string[]) => ({
  uses: uses.map(code => async () => [{ pointer: '', code, message: `${code} of another` }]),
  openOrders: { count: async () => orders, first: async () => ['a', 'b'], note: async () => undefined }
})

const inService = { status: 'active' as const, pauses: [] }

function pauseOf (capability: string | null): Pause {
  return {
    capability,
    reason: null,
    until: null,
    since: '2026-01-01T00:00:00.000Z',
    by: { kind: 'hub', name: 'hub', tokenId: null }
  }
}

const shop = { id: 'c', name: 'My shop' }

t.test('only a connection that is disabled or paused as a whole is at rest', async t => {
  t.ok(isAtRest({ status: 'disabled', pauses: [] }))
  t.ok(isAtRest({ status: 'active', pauses: [pauseOf('Marketplace'), pauseOf(null)] }))
  t.notOk(isAtRest({ status: 'active', pauses: [pauseOf('Marketplace')] }))
  for (const status of ['active', 'error'] as const) t.notOk(isAtRest({ status, pauses: [] }), status)
})

t.test('everything that stands in the way is named at once', async t => {
  const connection = { ...inService, ...shop, status: 'error' as const }

  t.match(await findObstacles(unused, connection, belongings(2, 'shop-of-offers', 'carrier-of-rules'), false), [
    {
      code: 'in-service',
      message: /'error'.*`linker connections disable "My shop"` or PATCH \/connections\/c\/disable/
    },
    { code: 'shop-of-offers' },
    { code: 'carrier-of-rules' },
    {
      pointer: '/force',
      code: 'open-orders',
      message: 'open orders (2) still need it, the oldest of them: a, b. See what each waits for with `linker orders ' +
        'show ID` or GET /orders/{id}. To delete it all the same: `linker connections delete "My shop" --force` or ' +
        'DELETE /connections/c?force=true'
    }
  ])
})

t.test('force accepts open orders and nothing else', async t => {
  const found = await findObstacles(unused, { ...inService, ...shop }, belongings(2, 'shop-of-offers'), true)

  t.strictSame(found.map(({ code }) => code), ['in-service', 'shop-of-offers'])
})

t.test('a refusal lists the obstacles; without any, nothing is refused', async t => {
  const [obstacle] = await findObstacles(unused, { ...inService, ...shop }, belongings(0), false)

  t.strictSame(await findObstacles(unused, { ...inService, ...shop, status: 'disabled' }, belongings(0), false), [])
  t.doesNotThrow(() => refuseDeletion([]))
  t.throws(() => refuseDeletion(obstacle === undefined ? [] : [obstacle]), {
    code: 'LNK_DELETION_REFUSED',
    statusCode: 409,
    errors: [{ code: 'in-service' }]
  })
})
