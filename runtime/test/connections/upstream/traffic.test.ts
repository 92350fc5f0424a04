import { Type } from '@sinclair/typebox'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { listEntries } from '../../../src/audit/store.ts'
import { createTraffic, type TrafficOptions } from '../../../src/connections/upstream/traffic.ts'
import { resetState, withOwn } from '../../../src/upstream/state.ts'
import { createUpstreamStates } from '../../../src/upstream/states.ts'
import type { UpstreamState } from '../../../src/upstream/stored-state.ts'
import { kinds, openJobsFor } from '../../jobs/support.ts'
import { openConnections } from '../open-connections.ts'
import { fakeAdapter, registryOf } from '../support.ts'

const declared = { ratePerSecond: 10, burst: 20 }
const lower = { ratePerSecond: 5, burst: 20 }
const config = Type.Object({ key: Type.String({ secret: true }) })
const adapter = fakeAdapter({ config, described: { budget: declared } })
const secret = 'secret-of-the-feed'
const closed = { state: 'closed', openedAt: null, openUntil: null, openings: 0, failure: null }

for (const kind of kinds(t)) {
  t.test(`the traffic of connections, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, database: { query } } = jobs
    const { connections, registry } = openConnections(jobs, [adapter])
    const states = createUpstreamStates(query)
    const change = (id: string, next: (state: UpstreamState, now: number) => UpstreamState): Promise<void> =>
      states.change(id, (state, now) => ({ state: next(state, now), result: undefined }))
    const upstream: TrafficOptions['upstream'] = {
      setBudget: (id, budget) => change(id, (state, now) => withOwn(state, budget, now)),
      reset: id => change(id, resetState)
    }
    const options = { database, connections, registry, upstream }
    const traffic = createTraffic(options)

    async function create (): Promise<string> {
      const body = { platformType: 'feed', name: 'Feed', config: { key: secret } }
      return (await connections.create(body, randomUUID())).connection.id
    }
    const audited = async (connectionId: string) =>
      (await listEntries(query, { connectionId, limit: 10 }))
        .filter(({ action }) => action !== 'connection.create')
        .map(({ action, objectName, changes }) => ({ action, objectName, changes }))

    t.test('a connection that sent nothing has the budget of its adapter, however its id is written', async t => {
      const id = await create()

      t.strictSame(await traffic.show(id.toUpperCase()), {
        connectionId: id,
        budget: { declared, own: null, learnt: null, effective: declared },
        throttledUntil: null,
        rest: null,
        areas: [],
        breaker: closed
      })
      t.match(await traffic.limit(id.toUpperCase(), lower), { connectionId: id, budget: { own: lower } })
    })

    t.test('without its adapter, a connection has no declared budget and takes any', async t => {
      const id = await create()
      const alone = createTraffic({ ...options, registry: registryOf() })

      t.match((await alone.show(id)).budget, { declared: null, effective: null })
      const high = { ratePerSecond: 1_000, burst: 1_000 }
      t.match((await alone.limit(id, high)).budget, { declared: null, own: high, effective: high })
      t.strictSame((await traffic.show(id)).budget.effective, declared, 'it never raises that of the adapter')
    })

    t.test('a budget above that of the adapter is refused with the figure, and changes nothing', async t => {
      const id = await create()

      await t.rejects(traffic.limit(id, { ratePerSecond: 10.5, burst: 21 }), {
        code: 'LNK_REQUEST_INVALID',
        errors: [
          { pointer: '/ratePerSecond', code: 'maximum', message: /at most 10, as the adapter declares/ },
          { pointer: '/burst', code: 'maximum', message: /at most 20, as the adapter declares/ }
        ]
      })
      t.strictSame([(await traffic.show(id)).budget.own, await audited(id)], [null, []])
      t.match((await traffic.limit(id, declared)).budget.own, declared)
    })

    t.test('a change has its entry with what was before and after; the same again is no change', async t => {
      const id = await create()
      await traffic.limit(id, { ...lower, reason: 'month end' })
      const { budget: { own } } = await traffic.limit(id, { ratePerSecond: 4, burst: 20 })
      const again = await traffic.limit(id, { ratePerSecond: 4, burst: 20 })
      await traffic.unlimit(id)
      await traffic.unlimit(id)

      const entry = (...changes: object[]) => ({ action: 'connection.budget', objectName: 'Feed', changes })
      t.strictSame(await audited(id), [
        entry({ pointer: '/budget', from: { ratePerSecond: 4, burst: 20 } }),
        entry({ pointer: '/budget/ratePerSecond', from: 5, to: 4 }, { pointer: '/budget/reason', from: 'month end' }),
        entry({ pointer: '/budget', to: { ...lower, reason: 'month end' } })
      ])
      t.match(own, { reason: null, by: { name: 'hub' }, since: /Z$/ })
      t.strictSame(again.budget.own, own, 'it keeps its author')
    })

    t.test('a reset forgets all but the budget; neither view nor entry shows a secret', async t => {
      const id = await create()
      await traffic.limit(id, lower)
      const until = Date.now() + 3_600_000
      await change(id, state => ({
        ...state,
        learnt: { ratePerSecond: 2, changedAt: Date.now(), throttledAt: Date.now() },
        throttledUntil: until,
        breaker: { openedAt: 0, openUntil: until, openings: 2, failure: `GET /${secret} answered 500` },
        areas: {
          module: { throttledUntil: until, rest: { since: 0, reason: `no ${secret}, 503`, isAway: true } }
        }
      }))
      const rest = { since: '1970-01-01T00:00:00.000Z', reason: 'no [redacted], 503', isAway: true }
      const failure = 'GET /[redacted] answered 500'

      t.match(await traffic.show(id), {
        budget: { learnt: { ratePerSecond: 2 }, effective: { ratePerSecond: 2, burst: 2 } },
        throttledUntil: new Date(until).toISOString(),
        breaker: { state: 'open', openedAt: '1970-01-01T00:00:00.000Z', openings: 2, failure },
        areas: [{ name: 'module', throttledUntil: new Date(until).toISOString(), rest, breaker: closed }]
      })
      t.match(await traffic.reset(id), {
        budget: { own: lower, learnt: null, effective: lower },
        throttledUntil: null,
        breaker: closed,
        areas: []
      })
      await traffic.reset(id)
      const [nothing, reset] = await audited(id)
      t.match(reset, {
        action: 'connection.upstream.reset',
        changes: [
          { pointer: '/area module', from: { rest } },
          { pointer: '/breaker', from: { state: 'open', failure } },
          { pointer: '/learnt', from: { ratePerSecond: 2 } },
          { pointer: '/throttledUntil', from: new Date(until).toISOString() }
        ]
      })
      t.strictSame(nothing, { action: 'connection.upstream.reset', objectName: 'Feed', changes: [] })
    })

    t.test('a deletion in the middle of a change leaves no state behind', async t => {
      const id = await create()
      const unlucky = createTraffic({
        ...options,
        upstream: {
          ...upstream,
          async setBudget (id, budget) {
            await query('update connections set deleted_at = now() where id = $1', [id])
            await upstream.setBudget(id, budget)
          }
        }
      })

      await t.rejects(unlucky.limit(id, lower), { code: 'LNK_CONNECTION_NOT_FOUND' })
      t.strictSame(await query('select from upstream_states where connection_id = $1', [id]), [])
      for (const command of [traffic.show, traffic.unlimit, traffic.reset]) {
        await t.rejects(command(id), { code: 'LNK_CONNECTION_NOT_FOUND' })
      }
      t.strictSame(await query('select from upstream_states where connection_id = $1', [id]), [])
    })

    t.test('a change that fails after its entry is made when it is repeated', async t => {
      const id = await create()
      const broken = createTraffic({
        ...options,
        upstream: { ...upstream, setBudget: () => Promise.reject(new Error('the database is away')) }
      })

      await t.rejects(broken.limit(id, lower), /the database is away/)
      t.match((await traffic.limit(id, lower)).budget.own, lower)
      t.strictSame((await audited(id)).map(({ changes }) => changes), [
        [{ pointer: '/budget', to: lower }],
        [{ pointer: '/budget', to: lower }]
      ])
    })
  })
}
