import { signWebhook } from '@linker/sdk'
import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { createApi, eventually, type Answer } from '../support/api.ts'
import { buildTestHub, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openQuietShop } from '../support/quiet-shop.ts'

interface Finding {
  code: string
  severity: string
  direction: string
  detail: string
  count?: number
  evidence?: { jobId?: string, deliveryId?: string }
  nextAction: string
}

interface Run {
  jobId: string
  jobType: string
  problem: { code: string } | null
}

interface Diagnostics {
  connection: { id: string, name: string, status: string }
  verdict: string
  findings: Finding[]
  arriving: {
    lastWebhookAt: string | null,
    lastPollAt: string | null,
    lastSuccess: Run | null,
    lastFailure: Run | null
  }
  leaving: { lastSuccess: Run | null, lastFailure: Run | null }
  upstream: {
    budget: { own: object | null, effective: object | null },
    throttledUntil: string | null,
    breaker: { state: string, openings: number, failure: string | null }
  } | null
  waiting: { reason: string, jobType: string, count: number, until?: string, sampleJobId: string }[]
  dead: { jobType: string, code: string, count: number, sampleJobId: string }[]
  webhooks: { webhooksConfigured: boolean, refusals: { code: string, remedy: string }[] } | null
  schedules: { name: string, enabled: boolean }[]
  cursors: { cursorKey: string, ageSeconds: number }[]
}

const sweep = 'master-inventory-sweep'
const config = { schedules: { [sweep]: { every: '1d', enabled: true } } }
/** An event that starts no job. */
const ping = { eventType: 'test.ping', objectType: 'test', externalId: '1' }

async function diagnose (hub: TestHub, id: string): Promise<Diagnostics> {
  const { status, json, text } = await hub.call('GET', `/connections/${id}/diagnostics`)
  if (status !== 200) throw new Error(text)
  return json as Diagnostics
}

const codesOf = ({ findings }: Diagnostics): string[] => findings.map(({ code }) => code)

async function start (hub: TestHub, connectionId: string, externalId: string): Promise<string> {
  const { json } = await hub.call('POST', '/jobs', {
    body: { jobType: 'master.product.syncByExternalId', connectionId, payload: { externalId } }
  })
  return (json as { jobId: string }).jobId
}

/** Returns a job of a product when it has ended, or was put back. */
async function run (hub: TestHub, connectionId: string, externalId: string): Promise<Job> {
  const id = await start(hub, connectionId, externalId)
  return eventually('the end of a run', async () => {
    const job = (await hub.call('GET', `/jobs/${id}`)).json as Job
    return job.problem === null && job.finishedAt === null ? undefined : job
  })
}

/**
 * Sets the state of the traffic to the platform, as another process would. `members` is SQL; `now`
 * stands for the time in milliseconds.
 */
async function setTraffic (hub: TestHub, connectionId: string, members: string): Promise<void> {
  const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
  const { query, notify } = hub.database()
  await query(
    `insert into upstream_states (connection_id, version, state, is_guarded)
    values ($1, 1, json_build_object(${members.replaceAll('now', now)}), true)`,
    [connectionId]
  )
  notify('upstream')
}

/** Waits until a job of the connection has to wait, and returns it. */
async function firstToWait (hub: TestHub, connectionId: string): Promise<Job> {
  return eventually('a job that waits', async () => {
    const job = await run(hub, connectionId, '27')
    return job.status === 'waiting' ? job : undefined
  })
}

/** Delivers an event that somebody else signed. */
async function forge (hub: TestHub, id: string): Promise<Answer> {
  const body = JSON.stringify({
    schemaVersion: 1,
    eventId: randomUUID(),
    eventType: 'stock.changed',
    occurredAt: new Date().toISOString(),
    object: { type: 'stock', externalId: '27' }
  })
  const timestamp = String(Date.now())
  return createApi(hub.url, '')('POST', `/webhooks/shopa/${id}`, {
    body,
    headers: {
      'x-linker-timestamp': timestamp,
      'x-linker-signature': signWebhook('not-the-secret-of-this-connection', timestamp, body)
    }
  })
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: the diagnosis of a connection`, async t => {
    const hub = await buildTestHub(t, { mode, config })

    t.test('nothing is wrong', async t => {
      const id = await openQuietShop(hub, 'Well')
      const found = await diagnose(hub, id)

      t.match(found, {
        connection: { id, name: 'Well', status: 'active' },
        verdict: /^Nothing is wrong: last webhook \S+Z, last reading \S+Z, no write yet\.$/,
        arriving: { lastWebhookAt: /Z$/, lastPollAt: /Z$/, lastSuccess: { problem: null }, lastFailure: null },
        leaving: { lastSuccess: null, lastFailure: null },
        webhooks: { webhooksConfigured: true },
        upstream: { budget: { own: null }, throttledUntil: null, breaker: { state: 'closed', openings: 0 } },
        schedules: [{ name: sweep, enabled: true }]
      })
      t.strictSame([found.findings, found.waiting, found.dead, found.webhooks?.refusals], [[], [], [], []])
    })

    t.test('paused: the pause and the jobs that wait for it', async t => {
      const id = await openQuietShop(hub, 'Paused')
      const until = new Date(Date.now() + 7_200_000).toISOString()
      await hub.call('POST', `/connections/${id}/pause`, { body: { reason: 'moving house', until } })
      const jobId = await start(hub, id, '27')
      const found = await diagnose(hub, id)

      t.match(found.findings, [{
        code: 'connection-paused',
        severity: 'blocking',
        direction: 'both',
        nextAction: 'Resume it: `linker connections resume Paused`.'
      }])
      t.equal(found.verdict, found.findings[0]?.detail)
      t.match(found.verdict, new RegExp(`^'Paused' was paused by .* until ${until}: moving house\\.$`))
      t.match(found.waiting, [{ reason: 'connection-paused', count: 1, until, sampleJobId: jobId }])
    })

    t.test('a paused capability: its jobs wait, the others do not', async t => {
      const id = await openQuietShop(hub, 'Partly paused')
      await hub.call('POST', `/connections/${id}/pause`, { body: { capabilities: ['ProductMaster'] } })
      const jobId = await start(hub, id, '27')
      await eventually('the job to be put back', async () => {
        const job = (await hub.call('GET', `/jobs/${jobId}`)).json as Job
        return job.problem === null ? undefined : true
      })
      const found = await diagnose(hub, id)

      t.match(found.findings, [{ code: 'capability-paused', severity: 'warning', direction: 'in' }])
      t.match(found.waiting, [{ reason: 'capability-paused', code: 'LNK_CAPABILITY_PAUSED', until: undefined }])
    })

    t.test('the platform fails: the circuit breaker and the jobs that wait for it', async t => {
      const id = await openQuietShop(hub, 'Failing')
      await setTraffic(
        hub,
        id,
        "'breaker', json_build_object('openedAt', now - 60000, 'openUntil', now + 600000, 'openings', 2, " +
          "'failure', 'GET /api/products answered 503')"
      )
      const job = await firstToWait(hub, id)
      const found = await diagnose(hub, id)

      t.match(found.findings, [{
        code: 'upstream-broken',
        severity: 'blocking',
        direction: 'both',
        count: 1,
        detail:
          /^The platform of 'Failing' has failed since \S+Z: .* 1 job waits, .*: GET \/api\/products answered 503\.$/,
        evidence: { jobId: job.id },
        nextAction: /`linker connections test Failing` tries at once/
      }])
      t.equal(found.verdict, found.findings[0]?.detail)
      t.match(found.upstream, {
        budget: { own: null, effective: null },
        throttledUntil: null,
        breaker: { state: 'open', openings: 2, failure: 'GET /api/products answered 503' }
      })
      t.match(found.waiting, [{ reason: 'circuit-breaker', count: 1, until: /Z$/, sampleJobId: job.id }])
      t.match((await hub.call('GET', `/jobs/${job.id}`)).json, {
        waitsFor: { reason: 'circuit-breaker', until: /Z$/ }
      })
      t.strictSame(job.attempts, [])
    })

    t.test('a budget that is too small: which one, and the jobs that wait for it', async t => {
      const id = await openQuietShop(hub, 'Slow')
      const budget = { ratePerSecond: 0.001, burst: 1 }
      await setTraffic(hub, id, `'own', '${JSON.stringify(budget)}'::json, 'nextSlotAt', now + 3600000`)
      const job = await firstToWait(hub, id)
      const found = await diagnose(hub, id)

      t.match(found.findings, [{
        code: 'budget-behind',
        severity: 'warning',
        direction: 'in',
        count: 1,
        detail:
          /^1 job waits for the budget of 'Slow', .*: it may send 0\.001 requests per second, set by an operator\.$/,
        nextAction: /`linker connections upstream unlimit Slow`/
      }])
      t.match(found.upstream, { budget: { own: budget, effective: budget }, breaker: { state: 'closed' } })
      t.match(found.waiting, [{ reason: 'budget', count: 1, sampleJobId: job.id }])
    })

    t.test('the platform asks for a rest', async t => {
      const id = await openQuietShop(hub, 'Throttled')
      hub.shop.faults.add({ path: /products/, answer: { status: 429, headers: { 'retry-after': '300' } } })
      const jobs = [await run(hub, id, '27'), await run(hub, id, '28')]
      const found = await diagnose(hub, id)
      const finding = found.findings.find(({ code }) => code === 'upstream-throttled')

      t.strictSame(jobs.map(({ status, attempts }) => [status, attempts.length]), [['waiting', 1], ['waiting', 0]])
      t.match(finding, {
        severity: 'warning',
        count: 2,
        detail: / asked for a rest until \S+Z; 2 jobs wait for it\. The reason: GET \S+ answered 429\.$/
      })
      t.notOk(codesOf(found).includes('jobs-wait-rate-limit'))
      t.ok(finding?.detail.includes(found.upstream?.throttledUntil ?? 'none'))
      t.strictSame(found.waiting.map(({ reason, count }) => [reason, count]), [['rate-limit', 2]])
    })

    t.test('dead jobs: their group, and the last failure', async t => {
      const id = await openQuietShop(hub, 'Dead jobs')
      const dead = await start(hub, id, '999999')
      await hub.endOf(dead)
      const found = await diagnose(hub, id)

      t.match(found.findings, [{
        code: 'jobs-dead',
        severity: 'warning',
        direction: 'in',
        count: 1,
        detail: /^1 job master\.product\.syncByExternalId died with LNK_ADAPTER_NOT_FOUND, .*: .*999999/,
        evidence: { jobId: dead },
        nextAction: new RegExp(`linker jobs retry ${dead}`)
      }])
      t.match(found.dead, [{ code: 'LNK_ADAPTER_NOT_FOUND', count: 1, sampleJobId: dead }])
      t.match(found.arriving.lastFailure, { jobId: dead, problem: { code: 'LNK_ADAPTER_NOT_FOUND' } })
      t.not(found.arriving.lastSuccess, null)
    })

    t.test('refused webhooks: the code and the remedy', async t => {
      const id = await openQuietShop(hub, 'Refused')
      t.equal((await forge(hub, id)).status, 401)
      const [finding, ...others] = (await diagnose(hub, id)).findings
      const { webhooks } = await diagnose(hub, id)

      t.match(finding, { code: 'webhooks-refused', severity: 'warning', direction: 'in', count: 1 })
      t.match(finding?.detail, /LNK_SIGNATURE_MISMATCH/)
      t.ok(finding?.nextAction.startsWith(webhooks?.refusals[0]?.remedy ?? 'none'))
      t.strictSame(others, [])
      const silent = await hub.connect('shopa', { name: 'Only refused' })
      await forge(hub, silent)
      t.match((await diagnose(hub, silent)).findings[0], { code: 'webhooks-refused', severity: 'blocking' })
    })

    t.test('an event of an unknown type: its delivery', async t => {
      const id = await openQuietShop(hub, 'Unknown events')
      const { headers } = await hub.deliver(id, { ...ping, eventType: 'stock.chnaged' })
      const deliveryId = String(headers['x-linker-delivery-id'])
      const found = await eventually('the ignored event', async () => {
        const now = await diagnose(hub, id)
        return codesOf(now).includes('events-unknown') ? now : undefined
      })

      t.match(found.findings, [{ code: 'events-unknown', severity: 'info', count: 1, evidence: { deliveryId } }])
      await hub.database().query('update connections set webhook_events = $1, version = version + 1 where id = $2', [
        JSON.stringify({ 'stock.chnaged': 'shopa.inventory.syncByExternalId' }),
        id
      ])
      t.match(
        (await diagnose(hub, id)).findings,
        [{
          code: 'events-unknown',
          severity: 'warning',
          nextAction: /replay .* --type stock\.chnaged --since .* --dry-run/
        }],
        'the type is known now, but nothing was done'
      )
      t.equal((await hub.call('POST', `/webhook-deliveries/${deliveryId}/replay`)).status, 202)
      t.notOk(codesOf(await diagnose(hub, id)).includes('events-unknown'), 'the event was replayed')
    })

    t.test('disabled: by whom; then deleted: by whom', async t => {
      const id = await openQuietShop(hub, 'Disabled')
      const made = await hub.call('POST', '/tokens', { body: { name: `ada ${mode}`, scope: 'admin' } })
      const ada = createApi(hub.url, (made.json as { token: string }).token)
      await ada('PATCH', `/connections/${id}/disable`, { body: { reason: 'sold' } })
      const disabled = await diagnose(hub, id)
      await ada('DELETE', `/connections/${id}`)
      const deleted = await diagnose(hub, id)

      t.match(disabled.verdict, new RegExp(`^'Disabled' was disabled by ada ${mode} at \\S+Z: sold\\. Its webhooks`))
      t.match(disabled, { connection: { status: 'disabled' }, findings: [{ code: 'connection-disabled' }] })
      t.match(deleted.verdict, new RegExp(`^'Disabled' was deleted by ada ${mode} at \\S+Z\\.$`))
      t.match(deleted, {
        connection: { status: 'deleted', name: 'Disabled' },
        webhooks: null,
        upstream: null,
        schedules: { length: 0 }
      })
      t.strictSame(codesOf(deleted), ['connection-deleted'])
    })

    t.test('credentials that are gone, and a version that is not loaded', async t => {
      const id = await openQuietShop(hub, 'Broken')
      const { query } = hub.database()
      await query(
        `delete from integration_credentials
        where 'db:' || ref = (select credentials_ref from connections where id = $1)`,
        [id]
      )
      const missing = await diagnose(hub, id)
      await query("update connections set adapter_version = '99.0.0' where id = $1", [id])
      const unloaded = await diagnose(hub, id)

      t.match(missing.findings, [{ code: 'credentials-missing', severity: 'blocking' }])
      t.match(unloaded.findings, [
        { code: 'adapter-missing', severity: 'blocking', nextAction: /linker connections move Broken --to \d/ },
        { code: 'credentials-missing' }
      ])
    })

    t.test('the cursor and the schedule of a marketplace, without their values', async t => {
      const id = await hub.connect('mktb', { name: 'Market' })
      const polled = await diagnose(hub, id)
      t.match(polled.findings.find(({ code }) => code === 'webhooks-not-set-up'), { severity: 'info' })
      await hub.call('PATCH', `/connections/${id}/schedules/mktb-orders-poll`, { body: { enabled: false } })
      await hub.database().query(
        `insert into connection_cursors (connection_id, cursor_key, value, updated_at)
        values ($1, 'of no schedule', '17', now() - interval '2 days')`,
        [id]
      )
      const found = await diagnose(hub, id)

      const cursor = found.cursors.find(({ cursorKey }) => cursorKey === 'of no schedule')
      t.ok((cursor?.ageSeconds ?? 0) >= 172_800)
      t.strictSame(Object.keys(cursor ?? {}).toSorted(), ['ageSeconds', 'cursorKey', 'updatedAt'])
      t.match(found.findings.find(({ code }) => code === 'schedule-off'), { severity: 'warning', direction: 'in' })
      t.ok(codesOf(found).includes('cursor-stuck'))
      t.match(found.findings.find(({ code }) => code === 'webhooks-not-set-up'), { severity: 'warning' })
    })

    t.test('an unknown connection, and a text that is no id', async t => {
      const unknown = await hub.call('GET', `/connections/${randomUUID()}/diagnostics`)
      t.match(problemOf(unknown), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
      const bad = await hub.call('GET', '/connections/my-shop/diagnostics')
      t.match(problemOf(bad), { status: 400, code: 'LNK_REQUEST_INVALID' })
    })
  })

  if (mode === 'embedded') continue

  t.test(`${mode}: without a process that runs jobs, and then without the key of the credentials`, async t => {
    const variables = { LINKER_ROLE: 'http' }
    const key = `k1:${randomBytes(32).toString('base64')}`
    const hub = await buildTestHub(t, { mode, variables: { ...variables, LINKER_CREDENTIALS_KEY: key } })
    const id = await hub.connect('shopa', { name: 'No worker' })
    const jobId = await start(hub, id, '27')
    await hub.database().query("update jobs set due_at = now() - interval '10 minutes' where id = $1", [jobId])
    const found = await diagnose(hub, id)

    t.match(found.findings[0], {
      code: 'queue-old',
      severity: 'blocking',
      direction: 'in',
      count: 1,
      evidence: { jobId },
      nextAction: /linker start --role worker/
    })
    t.match(found.waiting, [{ reason: 'turn', count: 1, sampleJobId: jobId }])

    await hub.restart({ variables })
    t.match((await diagnose(hub, id)).findings, [
      { code: 'credentials-unreadable', severity: 'blocking', detail: /LINKER_CREDENTIALS_KEY is not set\.$/ },
      { code: 'queue-old' }
    ])
  })
}
