import { abortError, type AdapterCall } from '@linker/sdk/host'
import t from 'tap'
import type { LoadedAdapter } from '../../src/adapters/load.ts'
import { AdapterUnavailableError } from '../../src/errors.ts'
import { authorized } from '../http/support.ts'
import { adapterOf, buildApp } from './support.ts'

const id = '00000000-0000-4000-8000-000000000001'

const hung = (call: AdapterCall): Promise<never> =>
  new Promise((_resolve, reject) => {
    call.signal.addEventListener('abort', () => {
      reject(abortError(call.signal))
    })
  })

const routeAt = (path: string, call: (call: AdapterCall) => Promise<unknown>): LoadedAdapter =>
  adapterOf([{ method: 'GET', path, auth: 'admin' }], call)

t.test('a new table serves from the next request on; a request under way ends with the old table', async t => {
  const release = Promise.withResolvers<void>()
  const { app, replace } = await buildApp(
    t,
    routeAt('/old', async () => {
      await release.promise
      return { body: 'old' }
    })
  )
  const ask = (path: string) => app.inject({ url: `/integrations/feed${path}`, headers: authorized })
  const underWay = ask('/old')
  await new Promise(setImmediate)

  replace(routeAt('/new', async () => ({ body: 'new' })))
  t.equal((await ask('/new')).statusCode, 404, 'until it is told')
  app.adapterRoutes.refresh()
  release.resolve()

  t.strictSame([(await ask('/old')).statusCode, (await ask('/new')).json()], [404, 'new'])
  t.equal((await underWay).json(), 'old')
  t.strictSame(Object.keys(app.adapterRoutes.describe().paths), ['/integrations/feed/new'])
})

t.test('a request that found its route before a swap is served by the new load: the old one is closed', async t => {
  const opening = Promise.withResolvers<void>()
  const path = '/connections/:connectionId/ping'
  const closed = routeAt(path, async () => {
    throw new AdapterUnavailableError('feed.api.v1@1.0.0', 'closed')
  })
  const { app, replace } = await buildApp(t, closed, { opening: opening.promise })
  const url = `/integrations/feed/connections/${id}/ping`
  const waiting = app.inject({ url, headers: authorized })
  await new Promise(setImmediate)

  replace(routeAt(path, async () => ({ body: 'new' })))
  app.adapterRoutes.refresh()
  opening.resolve()

  t.equal((await waiting).json(), 'new')
})

t.test('when an adapter does not answer in time, a 504 names it and its signal is aborted', async t => {
  const calls: AdapterCall[] = []
  const { app } = await buildApp(
    t,
    routeAt('/slow', async call => {
      calls.push(call)
      return hung(call)
    }),
    { limits: { timeoutMs: 20, mostAtOnce: 1 } }
  )

  const answer = await app.inject({ url: '/integrations/feed/slow', headers: authorized })

  t.equal(answer.statusCode, 504)
  t.match(answer.json(), { code: 'LNK_ADAPTER_TIMEOUT', detail: /feed\.api\.v1@1\.0\.0.* 20 ms/ })
  t.equal(calls[0]?.signal.aborted, true)
  t.equal(
    (await app.inject({ url: '/integrations/feed/slow', headers: authorized })).json().code,
    'LNK_ADAPTER_TIMEOUT',
    'its place is free again'
  )
})

t.test('the hub answers 503 when an adapter already has its most requests under way', async t => {
  const release = Promise.withResolvers<void>()
  const { app } = await buildApp(
    t,
    routeAt('/slow', async () => {
      await release.promise
      return { status: 204 }
    }),
    { limits: { timeoutMs: 60_000, mostAtOnce: 2 } }
  )
  const ask = () => app.inject({ url: '/integrations/feed/slow', headers: authorized })
  const first = [ask(), ask()]
  await new Promise(setImmediate)

  const third = await ask()
  release.resolve()

  t.equal(third.statusCode, 503)
  t.match(third.json(), { code: 'LNK_ADAPTER_BUSY' })
  t.equal(third.headers['retry-after'], '5')
  t.strictSame((await Promise.all(first)).map(({ statusCode }) => statusCode), [204, 204])
  t.equal((await ask()).statusCode, 204)
})

t.test('a paused connection answers on a route that only reads what the hub keeps', async t => {
  const by = { kind: 'token' as const, name: 'ops', tokenId: null }
  const paused = { capability: null, until: null, reason: 'stocktaking', since: '2026-01-31T10:00:00.000Z', by }
  const path = '/connections/:connectionId'
  const { app } = await buildApp(
    t,
    adapterOf([
      { method: 'GET', path: `${path}/live`, auth: 'read' },
      { method: 'GET', path: `${path}/kept`, auth: 'read', readsHubOnly: true }
    ], async () => ({ body: 'kept' })),
    { connection: { pauses: [paused] } }
  )
  const ask = (what: string) => app.inject({ url: `/integrations/feed/connections/${id}/${what}`, headers: authorized })

  t.match((await ask('live')).json(), { code: 'LNK_CONNECTION_PAUSED' })
  t.equal((await ask('kept')).json(), 'kept')
})

t.test('only a route for unusable connections is called with the reason why one is in error', async t => {
  const path = '/connections/:connectionId'
  const { app } = await buildApp(
    t,
    adapterOf([
      { method: 'GET', path: `${path}/plain`, auth: 'read' },
      { method: 'GET', path: `${path}/problem`, auth: 'read', servesUnusable: true }
    ], async ({ target }) => ({ body: 'problem' in target ? target.problem ?? null : null })),
    { connection: { status: 'error', statusReason: 'the token is spent' } }
  )
  const ask = (what: string) => app.inject({ url: `/integrations/feed/connections/${id}/${what}`, headers: authorized })

  t.equal((await ask('plain')).json(), null)
  t.strictSame((await ask('problem')).json(), {
    code: 'LNK_CONNECTION_IN_ERROR',
    message: 'The connection is in error: the token is spent'
  })
})
