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
    t.strictSame(await streams.inspect(), [])
    await redis.config('SET', 'appendonly', 'no')
  })
}
