import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createApi } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { scrape, seriesOf } from '../support/metrics.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface Token {
  id: string
  name: string
  token: string
}

const dayMs = 86_400_000

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a named token works in its scope, from its creation to its end`, async t => {
    const start = Date.now()
    const clock = { nowMs: start }
    const hub = await buildTestHub(t, { mode, now: () => new Date(clock.nowMs) })
    const create = (body: object) => hub.call('POST', '/tokens', { body })
    const made = await create({ name: 'dashboard', scope: 'read' })
    const reader = made.json as Token
    const ending = (await create({
      name: 'for a week',
      scope: 'admin',
      expiresAt: new Date(start + 7 * dayMs).toISOString()
    })).json as Token
    const asReader = createApi(hub.url, reader.token)
    const asAdmin = createApi(hub.url, ending.token)

    t.match(made, {
      status: 201,
      json: { name: 'dashboard', scope: 'read', createdBy: '(own token)', expiresAt: null, lastUsedAt: null }
    })
    t.match(reader.token, /^lnk_[A-Za-z0-9_-]{43}$/)
    t.equal((await asReader('GET', '/connections')).status, 200)
    t.equal((await asReader('GET', '/integrations/mkta/unknown')).status, 404)
    t.match(problemOf(await asReader('POST', '/stock/reconcile', { body: {} })), {
      status: 403,
      code: 'LNK_FORBIDDEN',
      detail: "Token 'dashboard' has the scope 'read'; this request needs 'operate'"
    })
    t.match(await asAdmin('POST', '/tokens', { body: { name: 'child', scope: 'operate' } }), {
      status: 201,
      json: { createdBy: 'for a week' }
    })

    const listed = await hub.call('GET', '/tokens')
    const lastUsedAt = new Date(start).toISOString()
    t.match(listed.json, [
      { name: 'dashboard', lastUsedAt },
      { name: 'for a week', lastUsedAt },
      { name: 'child', lastUsedAt: null }
    ])
    t.notMatch(listed.text, /lnk_/)

    t.match(problemOf(await create({ name: 'dashboard', scope: 'admin' })), {
      status: 409,
      code: 'LNK_TOKEN_NAME_TAKEN'
    })
    t.match(problemOf(await create({ name: 'late', scope: 'read', expiresAt: '2020-01-01T00:00:00Z' })), {
      status: 400,
      code: 'LNK_REQUEST_INVALID',
      detail: /expiresAt.*past/
    })
    t.match(problemOf(await create({ name: 'x', scope: 'all' })), { status: 400 })
    t.match(problemOf(await hub.call('DELETE', `/tokens/${randomUUID()}`)), {
      status: 404,
      code: 'LNK_TOKEN_NOT_FOUND'
    })

    t.equal((await hub.call('DELETE', `/tokens/${reader.id}`)).status, 204)
    t.equal((await asReader('GET', '/connections')).status, 401)
    t.equal((await hub.call('DELETE', `/tokens/${reader.id}`)).status, 404)
    t.equal((await create({ name: 'dashboard', scope: 'operate' })).status, 201, 'the name is free again')
    clock.nowMs = start + 7 * dayMs
    t.equal((await asAdmin('GET', '/connections')).status, 401)
    t.match(seriesOf(await scrape(hub), 'linker_refused_tokens_total'), {
      'code="LNK_FORBIDDEN"': 1,
      'code="LNK_UNAUTHORIZED"': 2
    })
  })
}
