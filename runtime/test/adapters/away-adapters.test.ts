import t from 'tap'
import { findAway } from '../../src/adapters/away-adapters.ts'
import type { Health } from '../../src/adapters/isolation/worker-carrier.ts'
import type { LoadedAdapter } from '../../src/adapters/load.ts'

const registryWith = (health: Health | undefined) => ({
  find: () => health === undefined ? undefined : { carrier: { health: () => health } } as LoadedAdapter,
  explain: (adapterKey: string, version?: string | null) => `No adapter ${adapterKey}@${String(version)}`
})
const pin = { adapterKey: 'shop.api.v1', adapterVersion: '2.0.0' }

t.test('an adapter that serves is not away', async t => {
  t.strictSame(findAway(registryWith({ state: 'ready' }), [pin]), [])
})

t.test('an adapter that is not loaded or does not run is away, with the reason', async t => {
  const crashed: Health = { state: 'crashed', code: 'LNK_ADAPTER_CRASHED', message: 'it died three times' }

  t.strictSame(findAway(registryWith(undefined), [pin]), [{ ...pin, problem: 'No adapter shop.api.v1@2.0.0' }])
  t.strictSame(findAway(registryWith(crashed), [pin]), [{ ...pin, problem: 'it died three times' }])
})
