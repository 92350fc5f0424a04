import { RejectedError, type RouteRequest } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createFlowServices } from '../../src/credentials/oauth-flows.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { removeExpiredReturns } from '../../src/credentials/store.ts'
import { authorized } from '../http/support.ts'
import { kinds, makePlace, openJobs, type Jobs, type Kind } from '../jobs/support.ts'
import { adapterOf, buildApp } from './support.ts'

const text = Type.String()
const page = '/console/connections/new?platform=feed'

/** A process of the hub. Its adapter begins flows; the test says what their ends answer. */
interface Process {
  app: FastifyInstance
  bodies: unknown[]
  /** The requests for the callback that have reached the adapter. */
  ends: string[]
}

type Work = (request: RouteRequest, flows: ReturnType<typeof openFlows>) => Promise<unknown>

function openFlows ({ database }: Jobs) {
  return createFlowServices({ database, sealing: createSealing({}), platformType: 'feed' })
}

async function openProcess (t: Test, jobs: Jobs, work: Work): Promise<Process> {
  const flows = openFlows(jobs)
  const bodies: unknown[] = []
  const ends: string[] = []
  const adapter = adapterOf(
    [
      {
        method: 'POST',
        path: '/authorisations',
        auth: 'admin',
        schema: {
          body: Type.Object({ connectionName: text }),
          response: { 200: Type.Object({ authorizationUrl: text, state: text }) }
        }
      },
      { method: 'POST', path: '/other', auth: 'admin', schema: { body: Type.Object({ returnTo: text }) } },
      {
        method: 'GET',
        path: '/authorised',
        auth: 'public',
        schema: { query: Type.Object({ state: text, code: Type.Optional(text) }) }
      }
    ],
    async ({ target, args }) => {
      const request = args[0] as RouteRequest
      const index = target.kind === 'route' ? target.index : -1
      if (index < 2) {
        bodies.push(request.body)
        return { body: { authorizationUrl: 'https://feed.test', state: await flows.beginFlow({}, 60) } }
      }
      const { state } = request.query as { state: string }
      ends.push(state)
      return work(request, flows)
    },
    { path: '/authorisations' }
  )
  return { app: (await buildApp(t, adapter, { query: jobs.database.query })).app, bodies, ends }
}

async function endFlow (state: string, flows: ReturnType<typeof openFlows>, ending?: { answer: unknown }) {
  const taken = await flows.takeFlow(state, 5_000)
  if (taken?.kind !== 'taken') throw new RejectedError('this authorisation has ended')
  await flows.endFlow(state, taken.token, ending)
}

const begin = async ({ app }: Process, more: object = { returnTo: page }): Promise<string> => {
  const body = { connectionName: 'Feed', ...more }
  const answer = await app.inject({
    method: 'POST',
    url: '/integrations/feed/authorisations',
    headers: authorized,
    body
  })
  return (answer.json<{ state: string }>()).state
}

const comeBack = async ({ app }: Process, state: string, more = '') => {
  const { statusCode, headers, body } = await app.inject({ url: `/integrations/feed/authorised?state=${state}${more}` })
  return { status: statusCode, location: headers.location, cache: headers['cache-control'], body }
}

async function openTwo (t: Test, kind: Kind): Promise<[Jobs, Jobs]> {
  const place = await makePlace(kind)
  const first = await openJobs(place)
  const second = kind === 'embedded' ? first : await openJobs(place)
  t.teardown(async () => {
    await Promise.all(kind === 'embedded' ? [first.close()] : [first.close(), second.close()])
    await place.remove()
  })
  return [first, second]
}

for (const kind of kinds(t)) {
  t.test(`the return from an authorisation on ${kind}`, async t => {
    const [first, second] = await openTwo(t, kind)

    t.test('the browser ends on the page, in whatever process and however often it comes', async t => {
      const connectionId = randomUUID()
      const work: Work = async ({ query }, flows) => {
        await endFlow((query as { state: string }).state, flows, { answer: {} })
        return { headers: { 'content-language': 'en' }, body: { connectionId } }
      }
      const [one, other] = [await openProcess(t, first, work), await openProcess(t, second, work)]
      const state = await begin(one)

      const ended = await comeBack(other, state)
      const again = [await comeBack(one, state), await comeBack(other, state)]

      t.strictSame(one.bodies, [{ connectionName: 'Feed' }], 'the adapter does not see it')
      t.strictSame(ended, {
        status: 303,
        location: `/console/connections/new?platform=feed&connectionId=${connectionId}`,
        cache: 'no-store',
        body: ''
      })
      t.strictSame(again, [ended, ended])
      t.strictSame([one.ends, other.ends], [[], [state]], 'the adapter answers once')
    })

    t.test('a spent state leads there only with the same query, also when others come at the same time', async t => {
      const connectionId = randomUUID()
      const spent = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      const process = await openProcess(t, first, async ({ query }, flows) => {
        const { state, code } = query as { state: string, code?: string }
        if (code !== 'right') throw new RejectedError('Invalid state parameter')
        await endFlow(state, flows, { answer: {} })
        spent.resolve()
        await release.promise
        return { body: { connectionId } }
      })
      const state = await begin(process)

      const right = comeBack(process, state, '&code=right')
      await spent.promise
      const between = await comeBack(process, state, '&code=other')
      release.resolve()
      const ended = await right

      t.match(between, { status: 303, location: /error=LNK_ADAPTER_REJECTED&detail=Invalid\+state\+parameter/ })
      t.match(ended, { status: 303, location: `${page}&connectionId=${connectionId}` })
      t.match(await comeBack(process, state, '&code=right'), { status: 303, location: ended.location })
      for (const other of ['&code=another', '']) {
        t.match(await comeBack(process, state, other), { status: 400, location: undefined })
      }
    })

    t.test('a failure ends there, too, and a second request does not hide its reason', async t => {
      const process = await openProcess(t, first, async ({ query }, flows) => {
        await endFlow((query as { state: string }).state, flows)
        throw new RejectedError('the seller said no')
      })
      const state = await begin(process)

      const ends = await Promise.all([comeBack(process, state), comeBack(process, state)])
      const last = await comeBack(process, state)

      t.match(last, { status: 303, location: /\?platform=feed&error=LNK_ADAPTER_REJECTED&detail=/ })
      for (const end of ends) t.match(end, { status: 303, location: last.location })
    })

    t.test('an answer with an error status is a failure', async t => {
      const process = await openProcess(t, first, async ({ query }, flows) => {
        await endFlow((query as { state: string }).state, flows, { answer: {} })
        return { status: 503, body: { message: 'the platform is away' } }
      })

      const { location } = await comeBack(process, await begin(process))

      t.equal(location, `${page}&error=LNK_ADAPTER_FAILED&detail=the+platform+is+away`)
    })

    t.test('a failure before the flow ends is not final', async t => {
      const process = await openProcess(t, first, async ({ query }, flows) => {
        await endFlow((query as { state: string }).state, flows, { answer: {} })
        return { body: {} }
      })
      const state = await begin(process)

      const refused = await comeBack(process, state, '&unknown=1')
      const ended = await comeBack(process, state)

      t.match(refused, { status: 303, location: /&error=LNK_REQUEST_INVALID&detail=/ })
      t.match(ended, { status: 303, location: page })
    })

    t.test('an answer of a flow that goes on stays as it is', async t => {
      const process = await openProcess(t, first, async () => ({ body: { next: 'choose an account' } }))

      t.match(await comeBack(process, await begin(process)), {
        status: 200,
        location: undefined,
        body: '{"next":"choose an account"}'
      })
    })

    t.test('without a page the answers stay as they are', async t => {
      const process = await openProcess(t, first, async () => ({ body: { connectionId: 'c-1' } }))

      t.match(await comeBack(process, await begin(process, {})), {
        status: 200,
        location: undefined,
        body: '{"connectionId":"c-1"}'
      })
      t.match(await comeBack(process, 'unknown'), { status: 200, location: undefined })
    })

    t.test('a page elsewhere is refused before the adapter is called; other routes keep their member', async t => {
      const process = await openProcess(t, first, async () => ({}))
      const call = (path: string, body: object) =>
        process.app.inject({ method: 'POST', url: `/integrations/feed${path}`, headers: authorized, body })

      const refused = await call('/authorisations', { connectionName: 'Feed', returnTo: 'https://attacker.example' })
      t.match(refused.json(), { status: 400, code: 'LNK_REQUEST_INVALID', errors: [{ pointer: '/returnTo' }] })
      t.strictSame(process.bodies, [])

      await call('/other', { returnTo: 'https://feed.test' })
      t.strictSame(process.bodies, [{ returnTo: 'https://feed.test' }])
    })

    t.test('a return outlives its flow by a day', async t => {
      const { query } = first.database
      const process = await openProcess(t, first, async () => {
        throw new RejectedError('this authorisation has expired')
      })
      const state = await begin(process)
      await query("update flows set expires_at = now() - interval '1 second'")
      t.match(await comeBack(process, state), { status: 303, location: /error=LNK_ADAPTER_REJECTED/ })

      await query("update authorisation_returns set expires_at = now() - interval '1 second'")
      t.match(await comeBack(process, state), { status: 400, location: undefined })
      t.ok(await removeExpiredReturns(query) > 0)
      t.strictSame(await query('select 1 from authorisation_returns'), [])
    })
  })
}
