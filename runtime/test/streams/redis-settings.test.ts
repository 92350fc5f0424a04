import { Redis } from 'ioredis'
import t from 'tap'
import { inspectRedis } from '../../src/streams/redis-settings.ts'
import { freePort, startRedisServer, stopRedisServer } from './drivers.ts'
import { openOwnRedis, untilAnswers } from './own-redis.ts'

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

  t.test('a replica is named, and a primary that takes writes without its replicas', async t => {
    const port = await freePort()
    const primary = await startRedisServer(port)
    t.teardown(() => stopRedisServer(primary))
    const client = new Redis(port)
    t.teardown(() => {
      client.disconnect()
    })
    await redis.call('REPLICAOF', '127.0.0.1', port)
    t.teardown(() => redis.call('REPLICAOF', 'NO', 'ONE'))
    await untilAnswers(async () => {
      if (!(await client.info('replication')).includes('connected_slaves:1')) throw new Error('no replica yet')
    })

    t.match(await inspectRedis(redis), [{ about: 'role', message: /is a replica/ }])
    t.match(await inspectRedis(client), [{ about: 'settings', message: /min-replicas-to-write 0/ }])
    await client.config('SET', 'min-replicas-to-write', '1')
    t.notMatch(await inspectRedis(client), [{ message: /min-replicas-to-write/ }])
  })

  t.test('a server that forbids CONFIG is judged by the rest', async t => {
    await redis.config('SET', 'appendonly', 'yes')
    t.teardown(() => redis.config('SET', 'appendonly', 'no'))
    await redis.acl('SETUSER', 'default', '-config')
    t.teardown(() => redis.acl('SETUSER', 'default', '+config'))

    t.strictSame(await streams.inspect(), [])
  })
}
