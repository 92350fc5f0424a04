import t from 'tap'
import { findConnection, findConnectionEvenDeleted, refuseTakenName } from '../../src/cli/connection-name.ts'
import type { HubClient } from '../../src/cli/hub-client.ts'

const [shop, market, twin] = [
  '7e6f2b64-6b1d-4d5e-8a27-0d3f3a1e9d10',
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222'
]

function hubWith (...connections: { id: string, name: string }[]): HubClient {
  return {
    url: 'http://127.0.0.1:3000',
    call: () => Promise.reject(new Error('not asked')),
    list: async () => connections
  }
}

t.test('a connection is found by its name; an id is taken as it is', async t => {
  const hub = hubWith({ id: shop, name: 'shop' }, { id: market, name: 'market' })

  t.equal(await findConnection(hub, 'market'), market)
  t.equal(await findConnection(hubWith(), shop), shop)
})

t.test('a name that no connection or several connections have is refused, with the known ones', async t => {
  await t.rejects(findConnection(hubWith({ id: shop, name: 'shop' }), 'shopp'), {
    message: "no connection is called 'shopp'; existing names: 'shop'"
  })
  await t.rejects(findConnection(hubWith(), 'shop'), {
    message: "no connection is called 'shop'; existing names: none"
  })
  await t.rejects(findConnection(hubWith({ id: market, name: 'market' }, { id: twin, name: 'market' }), 'market'), {
    message: `2 connections are called 'market': ${market}, ${twin}; give the id instead of the name`
  })
})

t.test('commands that show history find a deleted connection, after the present ones', async t => {
  const hubOf = (present: object[], deleted: object[]): HubClient => ({
    ...hubWith(),
    list: async path => path === '/connections/deleted' ? deleted : present
  })
  const both = hubOf([{ id: shop, name: 'shop' }], [{ id: twin, name: 'shop' }, { id: market, name: 'market' }])

  t.equal(await findConnectionEvenDeleted(both, 'market'), market)
  t.equal(await findConnectionEvenDeleted(both, 'shop'), shop)
  t.equal(await findConnectionEvenDeleted(hubOf([], []), twin), twin)
  await t.rejects(findConnectionEvenDeleted(both, 'shopp'), {
    message: "no connection is called 'shopp'; existing names: 'shop'"
  })
  await t.rejects(findConnectionEvenDeleted(hubOf([], [{ id: twin, name: 'x' }, { id: market, name: 'x' }]), 'x'), {
    message: `2 connections are called 'x': ${twin}, ${market}; give the id instead of the name`
  })
})

t.test('the name of another connection is refused, and the own name is not', async t => {
  const hub = hubWith({ id: shop, name: 'shop' }, { id: market, name: 'market' })

  await t.rejects(refuseTakenName(hub, 'market'), { message: new RegExp(`'market' is taken by .* ${market};`) })
  await t.rejects(refuseTakenName(hub, 'market', shop), { message: /is taken/ })
  await refuseTakenName(hub, 'market', market)
  await refuseTakenName(hub, 'market 2')
})
