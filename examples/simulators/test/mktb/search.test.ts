import t from 'tap'
import { openMarket } from '../support.ts'

async function openFilled (t: Parameters<typeof openMarket>[0]) {
  const { market, call } = await openMarket(t)
  for (const [externalId, stock] of [['c', 3], ['a', 1], ['b', 2], ['d', 0]] as const) {
    market.addProduct(externalId, { name: `Mug ${externalId}`, stock })
  }
  const found = async (body: object) => {
    const { json } = await call('POST', '/products/_search', body)
    return (json() as Array<{ externalId: string }>).map(({ externalId }) => externalId)
  }
  return { call, found }
}

t.test('a search without arguments sorts by key', async t => {
  const { found } = await openFilled(t)

  t.strictSame(await found({}), ['a', 'b', 'c', 'd'])
})

t.test('a page starts after the given sort value', async t => {
  const { found } = await openFilled(t)

  t.strictSame(await found({ pagination: { limit: 2 } }), ['a', 'b'])
  t.strictSame(await found({ pagination: { limit: 2, after: 'b' } }), ['c', 'd'])
  t.strictSame(await found({ pagination: { limit: 2, after: 'd' } }), [])
  t.strictSame(await found({ pagination: { sortField: 'name', order: 'DESC', after: 'Mug c' } }), ['b', 'a'])
})

t.test('paging by a member that is not unique loses rows at the end of a page', async t => {
  const { market, call } = await openMarket(t)
  for (const externalId of ['a', 'b', 'c']) market.addProduct(externalId, { name: 'Mug' })
  const page = async (after?: string) => {
    const pagination = { sortField: 'name', limit: 2, ...after === undefined ? {} : { after } }
    const { json } = await call('POST', '/products/_search', { pagination, fields: ['externalId'] })
    return json() as object[]
  }

  t.equal((await page()).length, 2)
  t.strictSame(await page('Mug'), [])
})

t.test('fields selects members of each row', async t => {
  const { call } = await openFilled(t)

  const search = { pagination: { limit: 1 }, fields: ['externalId', 'stock'] }
  t.strictSame((await call('POST', '/products/_search', search)).json(), [{ externalId: 'a', stock: 1 }])
})

t.test('filters', async t => {
  const { found } = await openFilled(t)
  const stock = (operator: string, value: unknown) => ({ field: 'stock', operator, value })
  const cases: Array<[filter: object, ids: string[]]> = [
    [stock('=', 2), ['b']],
    [stock('!=', 2), ['a', 'c', 'd']],
    [stock('>', 1), ['b', 'c']],
    [stock('>=', 1), ['a', 'b', 'c']],
    [stock('<', 1), ['d']],
    [stock('<=', 1), ['a', 'd']],
    [stock('in', [1, 3]), ['a', 'c']],
    [stock('nin', [1, 3]), ['b', 'd']],
    [{ operator: 'and', value: [stock('>', 0), stock('<', 3)] }, ['a', 'b']],
    [{ operator: 'or', value: [stock('=', 0), stock('=', 3)] }, ['c', 'd']],
    [{ operator: 'not', value: stock('=', 0) }, ['a', 'b', 'c']]
  ]

  for (const [filter, ids] of cases) t.strictSame(await found({ filter }), ids, JSON.stringify(filter))
})

t.test('an invalid search is 400', async t => {
  const { call } = await openFilled(t)
  const bodies = [
    { pagination: { limit: 201 } },
    { pagination: { sortField: 'stock' } },
    { pagination: { offset: 5 } },
    { filter: { field: 'stock', operator: '~', value: 1 } },
    { filter: { field: 'stock', operator: 'in', value: 1 } },
    { filter: { operator: 'and', value: [1] } }
  ]

  for (const body of bodies) t.equal((await call('POST', '/products/_search', body)).status, 400, JSON.stringify(body))
})

t.test('paging by key meets every visible offer once in both directions, also new and renamed ones', async t => {
  const { market, call } = await openMarket(t)
  for (let number = 40; number > 0; number--) market.addProduct(`v${number}`)
  const walk = async (order: 'ASC' | 'DESC') => {
    const keys: string[] = []
    for (;;) {
      const after = keys.at(-1)
      const page = (await call('POST', '/products/_search', {
        pagination: { limit: 7, order, ...after === undefined ? {} : { after } },
        fields: ['externalId']
      })).json() as Array<{ externalId: string }>
      if (page.length === 0) return keys
      keys.push(...page.map(({ externalId }) => externalId))
    }
  }
  const sorted = Array.from({ length: 40 }, (_, index) => `v${index + 1}`).sort()

  t.strictSame(await walk('ASC'), sorted)
  t.strictSame(await walk('DESC'), sorted.toReversed())
  market.addProduct('v00')
  await call('PATCH', '/products/v40', { newExternalId: 'a1' })
  t.strictSame(await walk('ASC'), ['a1', 'v00', ...sorted.filter(key => key !== 'v40')])
})
