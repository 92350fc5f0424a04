import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createEffectiveConfigOf } from '../../src/connections/effective-config.ts'
import type { Connection } from '../../src/connections/entity.ts'
import { fakeAdapter, registryOf } from './support.ts'

const Config = Type.Object({ language: Type.String({ default: 'pl' }), token: Type.Optional(Type.String()) })

function connectionOf (adapterKey: string): Connection {
  const found: Partial<Connection> = { adapterKey, config: { token: 'x' }, secretMembers: ['token'] }
  return found as Connection
}

t.test('the config in effect has the defaults of the adapter that serves, and no secret', async t => {
  const effectiveConfigOf = createEffectiveConfigOf({ registry: registryOf(fakeAdapter({ config: Config })) })

  t.strictSame(effectiveConfigOf(connectionOf('feed.api.v1')), { effectiveConfig: { language: 'pl' } })
  t.strictSame(effectiveConfigOf(connectionOf('feed.api.v2')), {})
})

t.test('only the first answer compiles the schema', async t => {
  const adapter = fakeAdapter({ config: Config })
  let reads = 0
  Object.defineProperty(adapter.description.config, 'title', {
    enumerable: true,
    get: () => {
      reads += 1
      return 'Feed'
    }
  })
  const effectiveConfigOf = createEffectiveConfigOf({ registry: registryOf(adapter) })
  effectiveConfigOf(connectionOf('feed.api.v1'))
  const readsOfFirst = reads

  t.match(effectiveConfigOf(connectionOf('feed.api.v1')), { effectiveConfig: { language: 'pl' } })
  t.ok(readsOfFirst > 0)
  t.equal(reads, readsOfFirst)
})
