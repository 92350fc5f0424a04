import type { Schemas } from '@linker/client'
import t from 'tap'
import { doingsOf, platformsOf } from '../../console/rules/platforms.ts'

function adapter (more: Partial<Schemas['Adapter']>): Schemas['Adapter'] {
  return {
    packageName: 'adapter',
    adapterKey: 'shop.api.v1',
    platformType: 'shop',
    supportedCapabilities: [],
    displayName: null,
    links: {},
    icon: null,
    hasChangelog: false,
    version: '1.0.0',
    state: 'ready',
    isolation: 'inline',
    features: {},
    isDefault: false,
    permissions: {},
    jobs: [],
    schedules: [],
    routes: [],
    webhooks: null,
    budget: null,
    authorisation: null,
    conformance: null,
    usedBy: 0,
    ...more
  }
}

t.test('platforms are those of adapters that serve, with the default adapter first', async t => {
  const found = platformsOf([
    adapter({ platformType: 'b', displayName: 'B', state: 'failed' }),
    adapter({ version: '1.0.0' }),
    adapter({ version: '2.0.0', isDefault: true, displayName: 'Shop' }),
    adapter({ platformType: 'a', displayName: 'A', state: 'degraded' }),
    adapter({ adapterKey: null, platformType: null, version: null })
  ])

  t.strictSame(found.map(({ platformType, name }) => [platformType, name]), [['a', 'A'], ['shop', 'Shop']])
  t.strictSame(found[1]?.choices.map(({ version }) => version), ['2.0.0', '1.0.0'])
  t.equal(found[1]?.usual.version, '2.0.0')
})

t.test('capabilities are said in words, and unknown ones by their names', async t => {
  t.equal(doingsOf(['ProductMaster', 'InventoryMaster']), 'brings the products, holds the stock')
  t.equal(doingsOf(['ListingMaker']), 'ListingMaker')
})
