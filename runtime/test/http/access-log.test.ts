import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { authorized, buildHttpApp, type LogLine } from './support.ts'

function routes (app: FastifyInstance): void {
  app.get('/admin/:id', { config: { scope: 'admin' } }, async () => 'in')
  app.post(
    '/hook',
    { config: { scope: 'webhook' } },
    async (request, reply) => reply.code(request.headers['x-good'] === undefined ? 401 : 202).send()
  )
}

const requests = (log: readonly LogLine[]) => log.filter(line => line.msg === 'request')

t.test('a request leaves one line without its query, headers and token', async t => {
  const { app, log } = await buildHttpApp(t, { routes })
  await app.inject({ url: '/v1/admin/7?code=secret-code&state=secret-state', headers: authorized })

  t.equal(log.length, 1)
  t.match(log[0], { msg: 'request', method: 'GET', path: '/v1/admin/7', status: 200, durationMs: Number })
  t.notMatch(JSON.stringify(log), /secret-|a-token/)
})

t.test('the line of a refusal has the code of its problem', async t => {
  const { app, log } = await buildHttpApp(t, { routes })
  await app.inject('/nowhere')
  await app.inject({ url: '/v1/admin/7', headers: authorized })

  t.match(requests(log)[0], { status: 404, code: 'LNK_NOT_FOUND' })
  t.notOk('code' in (requests(log)[1] ?? {}))
})

t.test('one in a hundred accepted webhooks leaves a log line, with their number', async t => {
  const { app, log } = await buildHttpApp(t, { routes })
  for (let index = 0; index < 201; index += 1) {
    await app.inject({ method: 'POST', url: '/hook', headers: { 'x-good': '1' } })
  }

  t.strictSame(requests(log).map(line => line.accepted), [1, 101, 201])
})

t.test('a flood that knows no secret leaves twenty lines a second for each status', async t => {
  let nowMs = 0
  const { app, log } = await buildHttpApp(t, { routes, nowMs: () => nowMs })
  for (let index = 0; index < 500; index += 1) {
    await app.inject({ method: 'POST', url: '/hook' })
    await app.inject('/nowhere')
    await app.inject('/admin/7')
  }
  t.equal(requests(log).length, 40, '401 and 404')

  nowMs = 1_000
  await app.inject('/nowhere')
  t.equal(requests(log).at(-1)?.heldBack, 480)
})

t.test('every request with the token leaves a line', async t => {
  const { app, log } = await buildHttpApp(t, { routes })
  for (let index = 0; index < 50; index += 1) await app.inject({ url: '/admin/7', headers: authorized })

  t.equal(requests(log).length, 50)
})
