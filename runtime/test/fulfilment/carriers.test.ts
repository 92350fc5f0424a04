import { carrierCapability } from '@linker/sdk'
import t from 'tap'
import { createRegistry } from '../../src/adapters/registry.ts'
import type { Query } from '../../src/database/database.ts'
import { candidatesFor, readCarriers, withMissingAdapters, type Carrier } from '../../src/fulfilment/carriers.ts'
import { fakeAdapter } from '../connections/support.ts'

const carrierOf = (id: string, more: Partial<Carrier> = {}): Carrier => ({
  id,
  name: `name of ${id}`,
  adapterKey: 'feed.api.v1',
  adapterVersion: null,
  problem: null,
  ...more
})

t.test('a carrier says why it takes no parcels now', async t => {
  const rows = [
    { id: 'active', status: 'active', statusReason: 'an old reason' },
    { id: 'disabled', status: 'disabled', statusReason: 'holidays' },
    { id: 'error', status: 'error', statusReason: 'bad key' },
    { id: 'unexplained', status: 'error', statusReason: null }
  ]
  const asked: unknown[] = []
  const query: Query = async <Row extends object>(_text: string, values?: readonly unknown[]) => {
    asked.push(values)
    return rows as object[] as Row[]
  }

  t.strictSame((await readCarriers(query)).map(({ id, problem }) => [id, problem]), [
    ['active', null],
    ['disabled', 'is disabled (holidays)'],
    ['error', 'is in error (bad key)'],
    ['unexplained', 'is in error']
  ])
  t.strictSame(asked, [[JSON.stringify([carrierCapability])]])
})

t.test('an adapter that is missing in this process is a problem, unless the carrier has one already', async t => {
  const adapter = fakeAdapter({ version: '1.2.0' })
  const registry = createRegistry([{ packageName: 'feed', isRequired: false, found: adapter, adapter }], new Map())
  const carriers = [
    carrierOf('served'),
    carrierOf('pinned', { adapterVersion: '1.2.0' }),
    carrierOf('other version', { adapterVersion: '2.0.0' }),
    carrierOf('other key', { adapterKey: 'parcelo.api.v1' }),
    carrierOf('disabled', { adapterKey: 'parcelo.api.v1', problem: 'is disabled' })
  ]

  t.match(withMissingAdapters(carriers, registry).map(({ id, problem }) => [id, problem]), [
    ['served', null],
    ['pinned', null],
    ['other version', /^has no adapter \(.*not in version 2\.0\.0\)$/],
    ['other key', /^has no adapter \(No adapter parcelo\.api\.v1 is installed\)$/],
    ['disabled', 'is disabled']
  ])
})

t.test('the dispatchers of a marketplace are the shop, the marketplace itself and the other carriers', async t => {
  const carriers = [carrierOf('a', { problem: 'is disabled' }), carrierOf('market'), carrierOf('b')]
  const kindsOf = (connectionId: string) =>
    candidatesFor(connectionId, carriers).map(({ processorKind, processorConnectionId, reason }) => [
      processorKind,
      processorConnectionId,
      reason === undefined
    ])

  t.strictSame(kindsOf('market'), [
    ['omp_fulfilled', undefined, true],
    ['source_brokered', undefined, true],
    ['hub_managed_carrier', 'a', false],
    ['hub_managed_carrier', 'b', true]
  ])
  t.strictSame(kindsOf('without labels').map(([, id, isUsable]) => [id, isUsable]), [
    [undefined, true],
    [undefined, false],
    ['a', false],
    ['market', true],
    ['b', true]
  ], 'an adapter that makes no labels leaves them to the operator')
  t.match(candidatesFor('a', carriers)[1], { processorKind: 'source_brokered', reason: 'The connection is disabled' })
})
