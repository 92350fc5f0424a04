import t from 'tap'
import { tabsOf } from '../../console/rules/connection-tabs.ts'

t.test('a connection has no tab that would be empty', async t => {
  const names = (capabilities: string[]) =>
    tabsOf({ adapterKey: 'a', adapterVersion: null, capabilities }, []).map(([tab]) => tab)

  t.strictSame(names(['ProductMaster']), ['overview', 'settings', 'adapter', 'webhooks', 'schedules'])
  t.ok(names(['OrderSource']).includes('routing'))
  t.ok(names(['Marketplace']).includes('routing'))
})
