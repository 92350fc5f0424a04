import t from 'tap'
import { openOwnRedis } from './own-redis.ts'

const driver = await openOwnRedis(t)
if (driver !== undefined) {
  const { streams, redis } = driver

  t.test('a server that may lose events is named', async t => {
    t.match(await streams.inspect(), [{ about: 'settings', message: /appendonly off/ }])
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
    t.match(await streams.inspect(), [
      { message: /appendonly off/ },
      { message: /maxmemory-policy allkeys-lru/ }
    ])

    await redis.config('SET', 'maxmemory-policy', 'noeviction')
    await redis.config('SET', 'appendonly', 'yes')
    t.match(await streams.inspect(), [
      { about: 'settings', message: /appendfsync everysec: .* when the power fails; set appendfsync always/ }
    ])
    await redis.config('SET', 'appendfsync', 'always')
    t.strictSame(await streams.inspect(), [])
    await redis.config('SET', 'appendfsync', 'everysec')
    await redis.config('SET', 'appendonly', 'no')
  })

  t.test('a server that forbids CONFIG is judged by the rest', async t => {
    await redis.config('SET', 'appendonly', 'yes')
    t.teardown(() => redis.config('SET', 'appendonly', 'no'))
    await redis.acl('SETUSER', 'default', '-config')
    t.teardown(() => redis.acl('SETUSER', 'default', '+config'))

    t.strictSame(await streams.inspect(), [])
  })
}
