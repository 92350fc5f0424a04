import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openProxy, type Proxy } from '../support/proxy.ts'

interface Readiness {
  status: string
  checks: { name: string, status: string, message?: string }[]
}

const nowhere = '00000000-0000-4000-8000-000000000000'

const served = availableModes(process.env).filter(mode => mode !== 'embedded')
if (served.length === 0) t.pass('a server that goes away', { skip: 'needs PostgreSQL' })

for (const mode of served) {
  t.test(`while its database is away, ${mode}`, async t => {
    const proxies: Proxy[] = []
    const hub = await buildTestHub(t, {
      mode,
      async reroute (variables) {
        const database = await openProxy(t, variables.DATABASE_URL ?? '')
        proxies.push(database)
        return { ...variables, DATABASE_URL: database.url }
      }
    })
    const [database] = proxies
    const shop = await hub.connect('shopa')
    const saved = (connectionId: string, requestId?: string) =>
      hub.deliver(connectionId, {
        eventType: 'product.saved',
        objectType: 'product',
        externalId: '27',
        ...(requestId === undefined ? {} : { requestId })
      })
    const ready = async (): Promise<Readiness & { code: number }> => {
      const { status, json } = await hub.call('GET', '/readyz')
      return { ...json as Readiness, code: status }
    }
    await saved(shop)
    const before = await ready()

    database?.cut()
    const during = await ready()
    const [alive, list, create, unknown] = await Promise.all([
      hub.call('GET', '/healthz'),
      hub.call('GET', '/connections'),
      hub.call('POST', '/connections', {
        body: { name: 'x', platformType: 'mktb', credentials: 'k' },
        headers: { 'idempotency-key': randomUUID() }
      }),
      saved(nowhere)
    ])
    const requestId = randomUUID()
    const known = await saved(shop, requestId)

    t.match(before, { code: 200, checks: [{ name: 'database', status: 'ok' }, { name: 'streams', status: 'ok' }] })
    t.match(during, {
      code: 503,
      status: 'failed',
      checks: [{ name: 'database', status: 'failed', message: /database does not answer/ }]
    })
    t.equal(alive.status, 200, 'a restart would not help')
    for (const answer of [list, create]) {
      t.match(problemOf(answer), { status: 503, code: 'LNK_DATABASE_UNAVAILABLE' })
      t.match(answer.headers['retry-after'], /^\d+$/)
    }
    t.equal(unknown.status, 503, 'never 404: senders delete what is not found')
    if (mode === 'full') t.equal(known.status, 202, 'a connection that is known goes on taking events')
    else t.ok(known.status >= 500, 'nothing is acknowledged that is not stored')

    database?.mend()
    await eventually('the way back', async () => (await ready()).code === 200 ? true : undefined)
    t.equal((await hub.call('GET', '/connections')).status, 200)
    if (mode !== 'full') t.equal((await saved(shop, requestId)).status, 202)
    t.match(await hub.jobsOf(requestId), [{ jobType: 'master.product.syncByExternalId', status: 'succeeded' }])
  })
}

for (const mode of served.filter(name => name === 'full')) {
  t.test(`while its Redis is away, ${mode}`, async t => {
    const proxies: Proxy[] = []
    const hub = await buildTestHub(t, {
      mode,
      async reroute (variables) {
        const redis = await openProxy(t, variables.REDIS_URL ?? '')
        proxies.push(redis)
        return { ...variables, REDIS_URL: redis.url }
      }
    })
    const shop = await hub.connect('shopa')
    const requestId = randomUUID()
    const saved = () =>
      hub.deliver(shop, {
        eventType: 'product.saved',
        objectType: 'product',
        externalId: '27',
        eventId: requestId,
        requestId
      })

    proxies[0]?.cut()
    const during = await hub.call('GET', '/readyz')
    const [refused, list, disable] = [
      await saved(),
      await hub.call('GET', '/connections'),
      await hub.call('PATCH', `/connections/${shop}/disable`)
    ]

    t.match(during, {
      status: 503,
      json: { checks: [{ name: 'database', status: 'ok' }, { name: 'streams', status: 'failed' }] }
    })
    t.match(problemOf(refused), { status: 500, code: 'LNK_PUBLISH_FAILED' })
    t.equal(list.status, 200, 'what needs no stream goes on')
    t.equal(disable.status, 503, 'a change that the gate cannot learn of is not reported as done')

    proxies[0]?.mend()
    await eventually('the way back', async () => (await hub.call('GET', '/readyz')).status === 200 ? true : undefined)
    t.equal((await hub.call('PATCH', `/connections/${shop}/disable`)).status, 200)
    t.equal((await saved()).status, 404)
    t.equal((await hub.call('PATCH', `/connections/${shop}`, { body: { status: 'active' } })).status, 200)
    t.equal((await saved()).status, 202)
    t.match(await hub.jobsOf(requestId), [{ status: 'succeeded' }])
  })
}
