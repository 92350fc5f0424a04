import t from 'tap'
import { openMktA } from './market.ts'

t.test('a page is refused unless offset and limit are whole numbers in their range', async t => {
  const { market, call } = await openMktA(t)
  market.addOffer({ id: '1' })
  const problemOf = async (query: string) => {
    const answer = await call('GET', `/sale/offers?${query}`)
    const { errors: [problem] = [] } = answer.json() as { errors?: Array<{ path: string, message: string }> }
    return { status: answer.status, path: problem?.path, message: problem?.message }
  }

  for (const value of ['', '0x10', '1e2', '1.0', '-1', '+1', ' 1', '1&limit=2', '0', '1001', '9'.repeat(400)]) {
    t.strictSame(await problemOf(`limit=${value.replace('+', '%2B')}`), {
      status: 400,
      path: 'limit',
      message: 'limit must be a whole number from 1 to 1000'
    }, `limit '${value}'`)
  }
  t.match(await problemOf('offset=10000001'), { status: 400, path: 'offset' })
  t.strictSame(await problemOf('offset=9999990&limit=11'), {
    status: 400,
    path: 'offset',
    message: 'the sum of offset and limit must be at most 10000000'
  })
  t.match(await problemOf('offset=9999990&limit=10'), { status: 200 })
  t.match(await problemOf('offset=00&limit=01'), { status: 200 })
})

t.test('sort accepts only the keys of the listing, never a member that every object inherits', async t => {
  const { call } = await openMktA(t)

  for (const name of ['constructor', '__proto__', 'toString', '-constructor', '']) {
    t.match((await call('GET', `/order/checkout-forms?sort=${name}`)).json(), {
      errors: [{
        code: 'ConstraintViolationException',
        path: 'sort',
        message: 'sort must be one of lineItems.boughtAt, updatedAt, with or without a minus before it'
      }]
    }, `sort '${name}'`)
  }
  t.equal((await call('GET', '/order/checkout-forms?sort=-updatedAt')).status, 200)
})
