import t from 'tap'
import { installZoo, tellsSecrets } from '../fixtures/zoo/index.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { cheapestMode } from '../support/modes.ts'
import { formsOf } from '../support/secret-forms.ts'

// An adapter puts its connection's credential into everything that leaves the hub. Stored keys and
// payloads stay as they are.

const apiKey = 'canary-of-the-shop-"7"'
const forms = formsOf(apiKey)
const adapter = `${tellsSecrets.platformType}.api.v1@1.0.0`
const jobType = `${tellsSecrets.platformType}.tell.run`

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`the hub redacts what an adapter says of its secrets on every way out, ${isolation}`, async t => {
    const hub = await buildTestHub(t, {
      mode: cheapestMode(process.env),
      install: directory => installZoo(directory, [tellsSecrets]),
      config: { adapters: [{ use: tellsSecrets.name, isolation }] }
    })
    const created = await hub.call('POST', '/connections', {
      body: { name: 'Telling', platformType: tellsSecrets.platformType, credentials: { apiKey } }
    })
    const { id } = created.json as { id: string }
    const hidden = (text: string | undefined, what: string): void => {
      for (const form of forms) {
        t.notOk(text?.includes(form), `${what}: ${form === apiKey ? 'the key' : `the key as ${form.slice(0, 6)}…`}`)
      }
    }

    const tested = await hub.call('POST', `/connections/${id}/test`)
    t.match(tested.json, { success: true, message: /^the key is \[redacted\]/ })
    hidden(tested.text, 'the connection test')

    const run = await hub.call('POST', '/jobs', {
      body: { jobType, connectionId: id, payload: { externalId: 'first' } },
      headers: { 'x-request-id': 'telling' }
    })
    const jobs = await hub.jobsOf('telling')
    t.strictSame(jobs.map(({ status, jobType: type }) => ({ status, type })), [{ status: 'succeeded', type: jobType }, {
      status: 'succeeded',
      type: jobType
    }])
    const told = jobs[1] as Job & { payload: unknown }
    t.match(told, {
      idempotencyKey: /told \[redacted\]$/,
      payload: { told: { '[redacted]': ['[redacted]'] } },
      result: { '[redacted]': { deep: { length: 1 } } }
    })
    t.equal(
      JSON.stringify(told.result).match(/\[redacted\]/g)?.length,
      6,
      'an answer keeps its form, however deep it is'
    )
    hidden(JSON.stringify(jobs), 'the end of a job')
    hidden((await hub.call('GET', '/jobs')).text, 'the list of jobs')
    hidden((await hub.call('GET', `/connections/${id}/diagnostics`)).text, 'the diagnosis')
    hidden((await hub.call('GET', `/jobs/${(run.json as { jobId: string }).jobId}`)).text, 'a job')
    const [stored] = await hub.database().query<{ key: string, payload: string, result: string }>(
      'select idempotency_key as key, payload::text as payload, result::text as result from jobs where id = $1',
      [told.id]
    )
    t.ok(stored?.key.endsWith(`told ${apiKey}`), 'the stored key stays as it is')
    t.ok(stored?.payload.includes('canary-of-the-shop'), 'so does the payload')
    hidden(stored?.result, 'the stored result, which is shown when the key may be another one')

    const route = `/integrations/${tellsSecrets.platformType}/connections/${id}/told/${encodeURIComponent(apiKey)}`
    const answered = await hub.call('GET', route)
    await hub.call('GET', `${route}/mistyped`, { headers: { authorization: 'Bearer nobody' } })
    t.match(answered, { status: 200, json: { token: apiKey.length, apiKey: ['[redacted]'] } })
    hidden(answered.text + JSON.stringify(answered.headers), 'the answer of a route')
    hidden(
      (await hub.call('POST', `/integrations/${tellsSecrets.platformType}/echo`, {
        body: { name: 'Anna', pin: apiKey }
      })).text,
      'what a request marks as secret'
    )
    t.match(
      (await hub.call('POST', `/integrations/${tellsSecrets.platformType}/echo`, {
        body: { name: 'Anna', pin: apiKey }
      })).json,
      { name: 'Anna', pin: '[redacted]' }
    )
    hidden(
      (await hub.call('POST', `/integrations/${tellsSecrets.platformType}/made`, { body: { key: `${apiKey}-made` } }))
        .text,
      'credentials that a route has just stored'
    )

    const linker = (...args: string[]) =>
      runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
    hidden((await linker('connections', 'test', id)).stdout, 'the command line')
    hidden((await hub.call('GET', '/metrics')).text, 'the figures')
    hidden(hub.log.join('\n'), 'the log')

    const requests = hub.log.flatMap(line =>
      line.includes('"request"') && line.includes('/told/') ? [JSON.parse(line) as { path: string }] : []
    )
    t.match(
      requests,
      [{ path: `/integrations/${tellsSecrets.platformType}/connections/${id}/told/:token` }],
      'the log has the connection and the declared path of an open route'
    )
    for (const part of ['key', 'payload']) {
      const warnings = hub.log.filter(line =>
        line.includes(`puts a secret of the connection into the ${part} of a job`)
      )
      t.equal(warnings.length, 1, `it is warned about once for the ${part}`)
      t.ok(warnings.every(line => line.includes(adapter)), 'by name')
    }
  })
}

t.test("the hub does not show a connection's stored texts when it cannot read the credentials", async t => {
  const hub = await buildTestHub(t, {
    mode: cheapestMode(process.env),
    install: directory => installZoo(directory, [tellsSecrets]),
    config: { adapters: [tellsSecrets.name] }
  })
  const created = await hub.call('POST', '/connections', {
    body: { name: 'Telling', platformType: tellsSecrets.platformType, credentials: { apiKey } }
  })
  const { id } = created.json as { id: string }
  await hub.call('POST', '/jobs', {
    body: { jobType, connectionId: id, payload: { externalId: 'first' } },
    headers: { 'x-request-id': 'telling' }
  })
  await hub.jobsOf('telling')
  await hub.database().query('delete from integration_credentials')

  const listed = await hub.call('GET', '/jobs')
  t.equal(listed.status, 200)
  for (const form of forms) t.notOk(listed.text.includes(form))
  t.match(listed.json, [{ idempotencyKey: '[redacted]', payload: {}, result: {}, status: 'succeeded' }])
})
