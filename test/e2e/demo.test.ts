import { Redis } from 'ioredis'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { availableModes, openMode } from '../support/modes.ts'
import { repository } from '../support/project.ts'
import { runShell } from '../support/shell.ts'

/** The folders of demos. Somebody may be running one beside the test. */
const foldersOf = async (): Promise<string[]> => readdir(join(repository, 'examples/demo/.linker')).catch(() => [])
const before = new Set(await foldersOf())
const leftBehind = async (): Promise<string[]> => (await foldersOf()).filter(name => !before.has(name))

for (const mode of availableModes(process.env)) {
  t.test(`npm run demo -- --once ends by itself with the marketplace at the new quantity, ${mode}`, async t => {
    const place = await openMode(mode, process.env)
    t.teardown(() => place.close())
    const demo = runShell(t, 'npm run demo -- --once', place.variables)
    const code = await demo.ended
    const text = demo.lines.join('\n')

    t.equal(code, 0)
    t.match(text, /before +the marketplace sells 8\n/)
    t.match(text, /after +the marketplace sells 3\n/)
    t.match(text, /trace +request [0-9a-f-]{36}\n/)
    const steps = [
      /\+0 ms +webhook stock\.changed \S+ sent by the shop/, /\+\d+ ms +stream +events\.inbound\.webhooks, answered 202/, /\+\d+ ms +queued +shopa\.inventory\.syncByExternalId/,
      /\+\d+ ms +job +shopa\.inventory\.syncByExternalId on shopa\.webservice\.v1@\S+ +\([\d.]+ ms\)/, /\+\d+ ms +upstream GET \/api\/stock_availables → 200 +\([\d.]+ ms\)/,
      /\+\d+ ms +job +inventory\.propagateToMarketplaces +\([\d.]+ ms\)/, /\+\d+ ms +job +marketplace\.offerQuantity\.update on mktb\.shopapi\.v1@\S+ +\([\d.]+ ms\)/,
      /\+\d+ ms +upstream PATCH \/svc\/shop-api\/products\/\S+ → 202 +\([\d.]+ ms\)/
    ]
    for (const step of steps) t.match(text, step)
    t.match(text, /order +\S+ over (\d+\.\d\d) PLN at the marketplace is order \d+ over \1 in the shop, after \d+ ms\n +the shop has 2 left, the marketplace sells 2/)
    t.strictSame(await leftBehind(), [])

    if (place.variables.REDIS_URL === undefined) return
    const redis = new Redis(place.variables.REDIS_URL)
    t.teardown(() => { redis.disconnect() })
    const namesOf = (entries: [string, string[]][]): string[][] => entries.map(([, fields]) => fields.filter((_, index) => index % 2 === 0))
    const [inbound, jobs] = [await redis.xrange('events.inbound.webhooks', '-', '+'), await redis.xrange('jobs.sync', '-', '+')]
    const [marker = ''] = await redis.keys('webhook:shopa:*')
    t.strictSame(namesOf(inbound), [0, 1].map(() => ['eventId', 'eventType', 'payloadJson', 'metadataJson', 'occurredAt', 'publishedAt']))
    t.strictSame(namesOf(jobs), [0, 1].map(() => ['jobType', 'connectionId', 'payloadJson', 'idempotencyKey', 'createdAt']))
    const ttlSeconds = await redis.ttl(marker)
    t.ok(ttlSeconds > 604_000 && ttlSeconds <= 604_800, `the marker lives 7 days: ${ttlSeconds} s`)
  })
}

t.test('npm run demo stays until a signal ends it, and leaves nothing behind', async t => {
  const demo = runShell(t, 'npm run demo')
  await demo.line(/The hub goes on at (http:\S+) /)
  demo.signal('SIGINT')
  await demo.ended

  t.strictSame(await leftBehind(), [])
})

t.test('a demo that cannot start says so, ends 1 and leaves nothing behind', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const demo = runShell(t, 'npm run demo -- --once', { PORT: String((taken.address() as AddressInfo).port) })

  t.equal(await demo.ended, 1)
  t.match(demo.lines.at(-1), /^demo: .*EADDRINUSE/)
  t.strictSame(await leftBehind(), [])
})
