import t from 'tap'
import { describeStatus } from '../../src/cli/switches.ts'
import type { ConnectionView } from '../../src/connections/schemas.ts'

const connection: ConnectionView = {
  id: '00000000-0000-4000-8000-000000000001',
  platformType: 'shopa',
  name: 'My shop',
  status: 'active',
  statusReason: null,
  config: {},
  settings: {},
  credentialsRef: null,
  adapterKey: 'shopa.webservice.v1',
  adapterVersion: '1.0.0',
  capabilities: ['InventoryMaster'],
  account: null,
  ordersSince: null,
  pauses: [],
  webhooksConfigured: true,
  createdAt: '2026-01-31T10:00:00.000Z',
  updatedAt: '2026-01-31T10:00:00.000Z'
}
const pause = {
  capability: null,
  reason: 'moving',
  until: null,
  since: '2026-01-31T10:00:00.000Z',
  by: { kind: 'token' as const, name: 'ada', tokenId: null }
}

t.test('an active connection: its jobs go on, unless something else stops them', async t => {
  t.match(
    describeStatus(connection),
    /^My shop is active\n {2}webhooks +accepted; .*\n {2}jobs +those that waited go on$/
  )
  t.match(
    describeStatus({ ...connection, pauses: [pause] }),
    /jobs +wait: paused by ada until somebody resumes it: moving$/
  )
  t.match(
    describeStatus({ ...connection, pauses: [{ ...pause, capability: 'OfferManager' }] }),
    /jobs +those that waited go on, without what is paused: OfferManager paused by ada/
  )
  t.match(describeStatus({ ...connection, statusReason: 'No adapter' }), /jobs +wait: No adapter$/)
})

t.test('a disabled connection, and one in error, name the next step', async t => {
  t.match(
    describeStatus({ ...connection, status: 'disabled' }),
    /webhooks +refused.*next +linker connections enable "My shop"$/s
  )
  t.match(
    describeStatus({ ...connection, status: 'disabled', statusReason: 'sold' }),
    /^My shop is disabled: sold\n {2}webhooks +refused/
  )
  t.match(
    describeStatus({ ...connection, status: 'error', statusReason: '401' }),
    /^My shop is in error: 401\n.*next +linker connections diagnose "My shop"$/s
  )
})
