import t from 'tap'
import { stringify } from 'yaml'
import { describeState } from '../../../src/cli/declaration/describe-state.ts'
import { planConnections } from '../../../src/cli/declaration/plan-connections.ts'
import { planOffers } from '../../../src/cli/declaration/plan-offers.ts'
import { planSettings } from '../../../src/cli/declaration/plan-settings.ts'
import { readDeclaration } from '../../../src/cli/declaration/read-declaration.ts'
import { state } from './state.ts'

t.test('what a hub has is written with names, and changes nothing when it is applied to it', async t => {
  const written = describeState(state)

  t.match(written, {
    version: 1,
    connections: [
      { name: 'Shop', capabilities: ['A', 'B'], schedules: { sweep: { every: '1h', enabled: true } } },
      { name: 'Market', routingRules: [{ carrier: 'Carrier' }, { sourceDeliveryMethodId: 'courier' }] },
      { name: 'Carrier' }
    ],
    offers: [{
      connection: 'Market',
      externalId: 'm1',
      variant: { connection: 'Shop', productExternalId: '27', externalId: '101' },
      buffer: 2,
      maxListed: null
    }]
  })
  const { declaration } = readDeclaration(stringify(written), 'file')
  t.strictSame(planConnections(declaration, state), { steps: [], faults: [] })
  t.strictSame(planSettings(declaration, state), { steps: [], faults: [], skipped: [] })
  t.strictSame(planOffers(declaration, state), { steps: [], faults: [], skipped: [] })
})
