import { Redis } from 'ioredis'
import t from 'tap'
import { demosLeft } from '../support/demos.ts'
import { availableModes, openMode } from '../support/modes.ts'
import { runShell } from '../support/shell.ts'

const leftBehind = await demosLeft()

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
      /\+0 ms +webhook stock\.changed \S+ sent by the shop/,
      /\+\d+ ms +stream +events\.inbound\.webhooks, answered 202/,
      /\+\d+ ms +queued +shopa\.inventory\.syncByExternalId/,
      /\+\d+ ms +job +shopa\.inventory\.syncByExternalId on shopa\.webservice\.v1@\S+ +\([\d.]+ ms\)/,
      /\+\d+ ms +upstream GET \/api\/stock_availables → 200 +\([\d.]+ ms\)/,
      /\+\d+ ms +job +inventory\.propagateToMarketplaces +\([\d.]+ ms\)/,
      /\+\d+ ms +job +marketplace\.offerQuantity\.update on mktb\.shopapi\.v1@\S+ +\([\d.]+ ms\)/,
      /\+\d+ ms +upstream PATCH \/svc\/shop-api\/products\/\S+ → 202 +\([\d.]+ ms\)/
    ]
    for (const step of steps) t.match(text, step)
    t.match(text, /order +\S+ for (\d+\.\d\d) PLN at the marketplace is order \d+ for \1 in the shop, after \d+ ms\n/)
    t.match(text, /ms\n +the shop has 2 left, the marketplace sells 2/)
    t.strictSame(await leftBehind(), [])

    if (place.variables.REDIS_URL === undefined) return
    const redis = new Redis(place.variables.REDIS_URL)
    t.teardown(() => {
      redis.disconnect()
    })
    const namesOf = (entries: [string, string[]][]): string[][] =>
      entries.map(([, fields]) => fields.filter((_, index) => index % 2 === 0))
    const [inbound, jobs] = [
      await redis.xrange('events.inbound.webhooks', '-', '+'),
      await redis.xrange('jobs.sync', '-', '+')
    ]
    const [marker = ''] = await redis.keys('webhook:shopa:*')
    t.strictSame(
      namesOf(inbound),
      [0, 1].map(() => ['eventId', 'eventType', 'payloadJson', 'metadataJson', 'occurredAt', 'publishedAt'])
    )
    t.strictSame(
      namesOf(jobs),
      [0, 1].map(() => ['jobType', 'connectionId', 'payloadJson', 'idempotencyKey', 'createdAt'])
    )
    const ttlSeconds = await redis.ttl(marker)
    t.ok(ttlSeconds > 604_000 && ttlSeconds <= 604_800, `the marker lives 7 days: ${ttlSeconds} s`)
  })
}
