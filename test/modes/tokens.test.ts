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

interface Code {
  code: string
  path: string
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

    await t.test('a code of a token begins one session, which ends with the token', async t => {
      const { id, token } = (await create({ name: 'grace', scope: 'operate' })).json as Token
      const makeCode = async () => (await createApi(hub.url, token)('POST', '/session/codes')).json as Code
      const asNobody = createApi(hub.url, '')
      const signIn = (code: string) => asNobody('POST', '/session', { body: { code } })
      const { code, path } = await makeCode()
      const answers = await Promise.all([signIn(code), signIn(code), signIn(code)])

      t.equal(path, `/console/#code=${code}`)
      const [begun, ...refused] = answers.toSorted((one, other) => one.status - other.status)
      t.match(begun, { status: 201, json: { name: 'grace', scope: 'operate', isSession: true } })
      for (const answer of refused) t.match(problemOf(answer), { status: 401, code: 'LNK_SIGN_IN_CODE_ENDED' })
      const [cookie = ''] = [begun?.headers['set-cookie'] ?? ''].flat()
      const headers = { authorization: '', cookie: cookie.split(';')[0] ?? '' }
      const status = async () => (await asNobody('GET', '/connections', { headers })).status
      t.equal(await status(), 200)
      t.match((await hub.call('GET', '/audit?actor=grace')).json, [
        { action: 'session.begin', actor: { tokenId: id } },
        { action: 'POST /session/codes', actor: { tokenId: id } }
      ])

      const late = (await makeCode()).code
      clock.nowMs += 10 * 60_000
      t.match(problemOf(await signIn(late)), { status: 401, code: 'LNK_SIGN_IN_CODE_ENDED' })
      const orphan = (await makeCode()).code
      const stored = JSON.stringify(await hub.database().query('select * from sign_in_codes'))
      await hub.call('DELETE', `/tokens/${id}`)
      t.equal(await status(), 401)
      t.match(problemOf(await signIn(orphan)), { status: 401, code: 'LNK_SIGN_IN_CODE_ENDED' })
      t.match(stored, /"name":"grace"/)
      for (const text of [code, late, orphan]) {
        t.notOk(stored.includes(text), 'the table has a hash only')
        t.notOk(hub.log.some(line => line.includes(text)), 'the log has no code')
      }
    })
  })
}
