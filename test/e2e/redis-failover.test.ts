import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes, openMode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'
import { openProxy } from '../support/proxy.ts'
import { hasRedisServer, startRedisPair } from '../support/redis-pair.ts'

const skip = !(availableModes(process.env).includes('full') && hasRedisServer()) &&
  'needs PostgreSQL, and a redis-server to start its own'

/** A sender gives up after this time. */
const patienceMs = 5_000

async function openHub (t: Test, redisUrl: string) {
  const hub = await buildTestHub(t, {
    mode: 'full',
    reroute: async variables => ({ ...variables, REDIS_URL: redisUrl })
  })
  const shop = await hub.connect('shopa')
  const accepted: string[] = []

  async function deliver (): Promise<number> {
    const requestId = randomUUID()
    const { status } = await hub.deliver(shop, {
      eventType: 'product.saved',
      objectType: 'product',
      externalId: '27',
      requestId
    })
    if (status === 202) accepted.push(requestId)
    return status
  }

  return {
    deliver,
    readiness: () => hub.call('GET', '/readyz'),
    /** Delivers until the hub accepts an event. Returns the milliseconds until then. */
    async acceptedAgain () {
      const from = performance.now()
      await eventually('an event to be accepted', async () => await deliver() === 202 ? true : undefined)
      return performance.now() - from
    },
    /** The ends of the first jobs of all accepted events. */
    async ends () {
      const jobs = await Promise.all(accepted.map(requestId => hub.jobsOf(requestId)))
      return jobs.map(([job]) => job?.status)
    },
    accepted
  }
}

t.test('a Redis that becomes a replica and keeps its connections is left for the new primary', { skip }, async t => {
  const pair = await startRedisPair(t)
  const proxy = await openProxy(t, pair.url())
  const { deliver, acceptedAgain, ends, accepted } = await openHub(t, proxy.url)
  t.equal(await deliver(), 202)

  await pair.swap()
  proxy.redirect(pair.url())

  t.ok(await acceptedAgain() < patienceMs)
  t.equal(await deliver(), 202)
  t.strictSame(await ends(), accepted.map(() => 'succeeded'))
})

t.test('Sentinels choose another primary, and the hub follows them', { skip }, async t => {
  const pair = await startRedisPair(t)
  const { deliver, acceptedAgain, ends, accepted, readiness } = await openHub(t, await pair.watch())
  for (let count = 0; count < 10; count += 1) t.equal(await deliver(), 202)

  await pair.freeze()
  await acceptedAgain()
  t.equal((await readiness()).status, 200)

  await pair.thaw()
  t.equal(await deliver(), 202)
  t.strictSame(await ends(), accepted.map(() => 'succeeded'), 'the new primary has all that was accepted')
})

t.test('doctor names the primary and its Sentinels, or what they lack', { skip }, async t => {
  const pair = await startRedisPair(t)
  const sentinels = await pair.watch()
  const place = await openMode('postgres', process.env)
  t.teardown(() => place.close())
  const project = await makeProject({})
  t.teardown(() => project.remove())
  const doctor = async (url: string): Promise<string> =>
    (await runLinker(['doctor'], project.directory, { ...place.variables, REDIS_URL: url })).stdout
  const nobody = await freePort()

  t.match(await doctor(sentinels), /redis .*appendonly off/)
  t.match(
    await doctor(sentinels.replace(/[\w-]+$/, 'other')),
    /the primary 'other' of 127.*No such master/
  )
  t.match(
    await doctor(`redis+sentinel://127.0.0.1:${nobody}/main`),
    new RegExp(`'main' of 127.0.0.1:${nobody} does not`)
  )
})
