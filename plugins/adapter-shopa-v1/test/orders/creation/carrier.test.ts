import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import type { Config } from '../../../src/config.ts'
import { chooseCarriers } from '../../../src/orders/creation/carrier.ts'
import { newOrder, openFakeShop } from '../fake-shop.ts'

const carriers = [
  { id: 2, id_reference: '2', active: '1', deleted: '1' },
  { id: 3, id_reference: '3', active: '1', deleted: '0', external_module_name: 'linker' },
  { id: 4, id_reference: '4', active: '0', deleted: '0' },
  { id: 6, id_reference: '2', active: '1', deleted: '0' },
  { id: 7, id_reference: '2', active: '1', deleted: '0' },
  { id: 8, id_reference: '8', active: '1', deleted: '0' }
]

async function chooseBoth (
  t: Parameters<typeof openFakeShop>[0],
  { config = {}, rows = carriers, hasModule = false }: {
    config?: Partial<Config>,
    rows?: object[],
    hasModule?: boolean
  }
) {
  const { client, context } = openFakeShop(t, {
    config: { defaultCarrierId: undefined, ...config } as Partial<Config>,
    answers: { 'GET carriers': [200, { carriers: rows }] }
  })
  return chooseCarriers(client, context, newOrder(), { hasModule })
}

const choose = async (t: Parameters<typeof openFakeShop>[0], config: Partial<Config>, rows?: object[]) =>
  (await chooseBoth(t, { config, ...rows === undefined ? {} : { rows } })).wanted

t.test('the carrier of a delivery method is the current one with its reference', async t => {
  const mapped = [{ methodId: 'other', carrierReference: '8' }, { methodId: 'courier', carrierReference: '2' }]
  t.match(await choose(t, { carriers: mapped, defaultCarrierId: '8' }), { id: '7' })
})

t.test("a mapping of the order's own connection comes first, and one of another connection never counts", async t => {
  const of = (sourceConnectionId: string) => ({
    carriers: [
      { methodId: 'courier', carrierReference: '8' },
      { sourceConnectionId, methodId: 'courier', carrierReference: '2' }
    ]
  })

  t.match(await choose(t, of('market-1')), { id: '7' })
  t.match(await choose(t, of('market-2')), { id: '8' })
})

t.test('the default carrier is found under its new id', async t => {
  t.match(await choose(t, { defaultCarrierId: '2' }), { id: '7' })
})

t.test("without a mapping and a default the module's carrier is chosen", async t => {
  t.match(await choose(t, {}), { id: '3' })
  await t.rejects(choose(t, {}, carriers.slice(2)), { code: AdapterErrorCode.rejected, message: /'courier'/ })
})

t.test('a configured carrier that is switched off is never replaced by another', async t => {
  await t.rejects(choose(t, { carriers: [{ methodId: 'courier', carrierReference: '4' }] }), {
    code: AdapterErrorCode.configuration,
    message: /reference 4/
  })
  await t.rejects(choose(t, { defaultCarrierId: '99' }), { code: AdapterErrorCode.configuration, message: /99/ })
})

t.test("with the module the cart has the module's carrier, and the order the mapped one in the end", async t => {
  const config = { carriers: [{ methodId: 'courier', carrierReference: '2' }] }

  t.match(await chooseBoth(t, { config, hasModule: true }), { ofCart: { id: '3' }, wanted: { id: '7' } })
  t.match(await chooseBoth(t, { config }), { ofCart: { id: '7' }, wanted: { id: '7' } })
  const rows = carriers.filter(({ id }) => id !== 3)
  t.match(await chooseBoth(t, { config, rows, hasModule: true }), { ofCart: { id: '7' }, wanted: { id: '7' } })
})
