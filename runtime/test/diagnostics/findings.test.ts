import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Facts } from '../../src/diagnostics/facts.ts'
import { findProblems, verdictOf } from '../../src/diagnostics/findings.ts'
import { remedyOf } from '../../src/webhooks/refusals/remedies.ts'
import { readChapter } from '../pages.ts'
import {
  checkedAt,
  daysAgo,
  deadJobs,
  factsWith,
  findOne,
  hoursAgo,
  jobId,
  lastRun,
  minutesAgo,
  operator,
  waitingJobs
} from './well-facts.ts'

const codesOf = (facts: Facts): string[] => findProblems(facts).map(({ code }) => code)
const pause = { capability: null, reason: null, until: null, since: hoursAgo(1), by: operator }
const refusal = {
  code: 'LNK_TIMESTAMP_OUTSIDE_WINDOW',
  count: 312,
  firstAt: hoursAgo(3),
  lastAt: minutesAgo(1),
  lastDetail: "X-Linker-Timestamp is 420 s ahead of the hub's clock; 300 s are allowed",
  remedy: remedyOf('LNK_TIMESTAMP_OUTSIDE_WINDOW')
}

t.test('nothing is wrong: no finding, and the verdict names the last webhook, reading and write', async t => {
  const facts = factsWith()
  const silent = factsWith({ webhooks: null, jobs: { last: { runs: [], atMost: false } } })

  t.strictSame(findProblems(facts), [])
  t.equal(
    verdictOf(facts, []),
    `Nothing is wrong: last webhook ${minutesAgo(3)}, last reading ${minutesAgo(2)}, last write ${hoursAgo(1)}.`
  )
  t.equal(verdictOf(silent, []), 'Nothing is wrong: no reading yet, no write yet.', 'it sends no webhooks')
})

t.test('no process runs jobs: that comes before what the connection itself lacks', async t => {
  const facts = factsWith({ workerAbsence: { since: minutesAgo(6) }, connection: { status: 'error' } })

  t.strictSame(codesOf(facts), ['no-worker', 'connection-error'])
  t.match(findProblems(facts)[0], {
    severity: 'blocking',
    direction: 'both',
    since: minutesAgo(6),
    detail: /^No process of this hub .* has been alive since 2026-01-31T11:54:00\.000Z, so accepted webhooks /,
    nextAction: /`linker start --role worker`/
  })
  t.match(findOne(factsWith({ workerAbsence: { since: null } })), {
    detail: /worker or all is alive, so /,
    since: undefined
  })
})

t.test('the state of the connection', async t => {
  t.test('deleted: nothing else is said of it', async t => {
    const facts = factsWith({
      connection: { status: 'deleted', statusChange: { at: hoursAgo(2), by: operator } },
      adapter: { state: 'missing' },
      webhooks: null,
      cursors: [],
      schedules: []
    })
    t.match(findOne(facts), {
      code: 'connection-deleted',
      severity: 'blocking',
      direction: 'both',
      detail: `'My shop' was deleted by ada at ${hoursAgo(2)}.`,
      since: hoursAgo(2),
      nextAction: /linker audit --connection \S+ --action connection\.delete/
    })
  })

  t.test('disabled: by whom and since when, if the audit knows', async t => {
    const known = factsWith({ connection: { status: 'disabled', statusChange: { at: hoursAgo(2), by: operator } } })
    const unknown = factsWith({ connection: { status: 'disabled' } })

    t.match(findOne(known), {
      code: 'connection-disabled',
      severity: 'blocking',
      detail: `'My shop' was disabled by ada at ${hoursAgo(2)}: its webhooks are refused and its jobs wait.`,
      nextAction: 'Enable it: `linker connections enable "My shop"`.'
    })
    t.equal(findOne(unknown).since, undefined)
    t.match(findOne(unknown).detail, /^'My shop' was disabled: /)
    t.equal(
      findOne(factsWith({ connection: { status: 'disabled', statusReason: 'sold' } })).detail,
      "'My shop' was disabled: sold. Its webhooks are refused and its jobs wait."
    )
  })

  t.test('disabled: its silence is a consequence, and no finding of its own', async t => {
    const facts = factsWith({
      connection: { status: 'disabled' },
      webhooks: { lastDeliveryAt: daysAgo(20) },
      cursors: [{ cursorKey: 'orders', updatedAt: daysAgo(20) }],
      schedules: [{ name: 'x', every: '1h', enabled: false, job: 'x.y', nextAt: null }]
    })
    t.strictSame(codesOf(facts), ['connection-disabled'])
  })

  t.test('in error: the reason, and new credentials or a new authorisation', async t => {
    const error = { status: 'error', statusReason: 'the key was revoked' } as const
    const typed = findOne(factsWith({ connection: { ...error, statusChange: { at: hoursAgo(2), by: operator } } }))
    const authorised = findOne(factsWith({ connection: error, adapter: { isAuthorised: true } }))

    t.match(typed, {
      code: 'connection-error',
      severity: 'blocking',
      detail: `'My shop' is in error since ${hoursAgo(2)}: the key was revoked.`,
      since: hoursAgo(2),
      nextAction: /linker connections credentials "My shop"/
    })
    t.match(authorised.nextAction, /linker connections authorise "My shop"/)
  })

  t.test('paused as a whole: by whom, until when and why', async t => {
    const ended = { ...pause, until: minutesAgo(-60), reason: 'moving house' }
    t.match(findOne(factsWith({ connection: { pauses: [ended] } })), {
      code: 'connection-paused',
      severity: 'blocking',
      direction: 'both',
      detail: `'My shop' was paused by ada at ${hoursAgo(1)} until ${minutesAgo(-60)}: moving house.`,
      since: hoursAgo(1),
      nextAction: 'Resume it: `linker connections resume "My shop"`.'
    })
    t.match(findOne(factsWith({ connection: { pauses: [pause] } })).detail, /until somebody resumes it\.$/)
  })

  t.test('a paused capability is a warning while others work, in the direction that it serves', async t => {
    const paused = (...names: string[]): Facts =>
      factsWith({ connection: { pauses: names.map(capability => ({ ...pause, capability })) } })

    t.match(findOne(paused('InventoryMaster')), {
      code: 'capability-paused',
      severity: 'warning',
      direction: 'in',
      nextAction: 'Resume it: `linker connections resume "My shop" --capability InventoryMaster`.'
    })
    t.match(findOne(paused('OrderProcessorManager')), { severity: 'warning', direction: 'both' })
    t.match(findProblems(paused('ProductMaster', 'InventoryMaster', 'OrderProcessorManager')), [
      { severity: 'blocking' },
      { severity: 'blocking' },
      { severity: 'blocking' }
    ])
  })

  t.test('a move', async t => {
    t.match(findOne(factsWith({ connection: { isMoving: true } })), { code: 'connection-moving', severity: 'warning' })
  })

  t.test('a name that a shell would read otherwise is replaced by the id', async t => {
    const { id } = factsWith().connection
    for (const name of ['50 $HOME', 'a "b"', '-x', 'a`b', 'wow!']) {
      t.match(findOne(factsWith({ connection: { name, pauses: [pause] } })).nextAction, `resume ${id}\``)
    }
  })
})

t.test('the adapter and the credentials', async t => {
  t.test('a version that is not loaded, with one that is', async t => {
    const message = 'Adapter shopa.webservice.v1 is installed in version 1.1.0, not in version 1.0.0'
    const other = findOne(factsWith({ adapter: { state: 'missing', message, loadedVersions: ['1.1.0'] } }))
    const none = findOne(factsWith({ adapter: { state: 'missing', message: null, loadedVersions: [] } }))

    t.match(other, {
      code: 'adapter-missing',
      severity: 'blocking',
      detail: `shopa.webservice.v1@1.0.0 serves 'My shop' and is not loaded: ${message}.`,
      nextAction: /`linker add <package>`.*`linker connections move "My shop" --to 1\.1\.0`/
    })
    t.notMatch(none.nextAction, /move/)
  })

  t.test('a missing adapter does not say whether its platform sends webhooks', async t => {
    const facts = factsWith({ adapter: { state: 'missing' }, webhooks: { webhooksConfigured: false } })
    t.strictSame(codesOf(facts), ['adapter-missing'])
  })

  t.test('an isolation that stopped, and one that was started again', async t => {
    t.match(findOne(factsWith({ adapter: { state: 'crashed', message: 'it ran out of memory' } })), {
      code: 'adapter-crashed',
      severity: 'blocking',
      detail: /: it ran out of memory\.$/
    })
    t.match(findOne(factsWith({ adapter: { state: 'degraded', isolation: 'worker' } })), {
      code: 'adapter-degraded',
      severity: 'warning',
      detail: /in its own thread\.$/
    })
  })

  t.test('credentials that are missing or cannot be read', async t => {
    t.match(findOne(factsWith({ credentials: { state: 'missing' } })), {
      code: 'credentials-missing',
      severity: 'blocking',
      nextAction: 'Give them: `linker connections credentials "My shop"`.'
    })
    t.match(findOne(factsWith({ credentials: { state: 'unreadable', message: "key 'k1' is missing" } })), {
      code: 'credentials-unreadable',
      severity: 'blocking',
      detail: /: key 'k1' is missing\.$/
    })
    t.strictSame(findProblems(factsWith({ credentials: { state: 'not needed' } })), [])
  })
})

t.test('webhooks', async t => {
  t.test('refused since the last that was accepted: the code, the answer and the remedy', async t => {
    const facts = factsWith({ webhooks: { lastDeliveryAt: hoursAgo(4), refusals: [refusal] } })
    const finding = findOne(facts)

    t.match(finding, {
      code: 'webhooks-refused',
      severity: 'blocking',
      direction: 'in',
      detail: `312 webhooks were refused with LNK_TIMESTAMP_OUTSIDE_WINDOW since ${hoursAgo(3)}, the last at ` +
        `${minutesAgo(1)}, with the answer: ${refusal.lastDetail}.`,
      since: hoursAgo(3),
      count: 312
    })
    t.ok(finding.nextAction.startsWith(refusal.remedy))
    t.match(finding.nextAction, /`linker deliveries refusals "My shop"`/)
    t.equal(verdictOf(facts, [finding]), finding.detail)
  })

  t.test('refused beside accepted ones, or by a fault of the hub, is a warning', async t => {
    const beside = factsWith({ webhooks: { lastDeliveryAt: minutesAgo(2), refusals: [refusal] } })
    const ownFault = { ...refusal, code: 'LNK_INTAKE_FULL', lastDetail: null }
    const own = factsWith({ webhooks: { lastDeliveryAt: hoursAgo(4), refusals: [ownFault] } })

    t.match(findOne(beside), { severity: 'warning' })
    t.match(findOne(own), { severity: 'warning' })
  })

  t.test('refused while it was disabled, or without ever having webhooks: a warning', async t => {
    const severityOf = (code: string, lastDeliveryAt: string | null) =>
      findOne(factsWith({ webhooks: { lastDeliveryAt, refusals: [{ ...refusal, code }] } })).severity

    t.equal(severityOf('LNK_WEBHOOK_CONNECTION_NOT_FOUND', hoursAgo(4)), 'warning')
    t.equal(severityOf('LNK_WEBHOOK_SECRET_MISSING', null), 'warning')
    t.equal(severityOf('LNK_WEBHOOK_SECRET_MISSING', hoursAgo(4)), 'blocking', 'its secret is gone')
  })

  t.test('refused long ago is over when others were accepted since', async t => {
    const old = { ...refusal, firstAt: daysAgo(9), lastAt: daysAgo(8) }
    t.strictSame(findProblems(factsWith({ webhooks: { refusals: [old] } })), [])
    t.strictSame(codesOf(factsWith({ webhooks: { lastDeliveryAt: daysAgo(10), refusals: [old] } })), [
      'webhooks-refused'
    ])
  })

  t.test('the test event of the last install did not arrive: until something comes', async t => {
    const ping = { testPingAt: minutesAgo(30), testPingProblem: 'connect ECONNREFUSED' }
    const before = { ...ping, lastDeliveryAt: hoursAgo(1), lastDeliveryEvent: 'stock.changed' }
    const facts = factsWith({ webhooks: before })

    t.match(findOne(facts), {
      code: 'webhooks-unreached',
      severity: 'blocking',
      direction: 'in',
      since: minutesAgo(30),
      detail: /did not arrive at .*: connect ECONNREFUSED\.$/,
      nextAction: /`linker connections edit "My shop" --config callbackBaseUrl=.*`linker webhook install "My shop"`/
    })
    t.equal(verdictOf(facts, findProblems(facts)), findOne(facts).detail)
    t.strictSame(codesOf(factsWith({ webhooks: { ...before, lastDeliveryAt: null } })), ['webhooks-unreached'])
    t.strictSame(codesOf(factsWith({ webhooks: { ...before, lastDeliveryAt: minutesAgo(29) } })), [])
    t.strictSame(codesOf(factsWith({ webhooks: { ...before, testPingProblem: null } })), [])
    t.strictSame(codesOf(factsWith({ webhooks: { ...before, webhooksConfigured: false } })), ['webhooks-not-set-up'])
    const refused = { ...before, refusals: [refusal] }
    t.strictSame(codesOf(factsWith({ webhooks: refused })), ['webhooks-refused'], 'a refused webhook arrived')
  })

  t.test('the last install ended with a warning of the adapter: until a webhook comes', async t => {
    const warned = { installWarning: 'the shop did not reach the hub', installWarningAt: minutesAgo(30) }
    const before = { ...warned, lastDeliveryAt: minutesAgo(30), lastDeliveryEvent: 'test.ping' }
    const facts = factsWith({ webhooks: before })

    t.match(findOne(facts), {
      code: 'webhooks-unreached',
      severity: 'warning',
      direction: 'in',
      since: minutesAgo(30),
      detail: /: the shop did not reach the hub\.$/,
      nextAction: /https:\/\/hub\.example\/webhooks\/shopa\/c1.*\(CA\).*`linker webhook install "My shop"`/
    })
    t.strictSame(codesOf(factsWith({ webhooks: { ...before, lastDeliveryAt: minutesAgo(29) } })), [])
    const both = { ...before, testPingAt: minutesAgo(29), testPingProblem: 'answered 404' }
    t.match(findOne(factsWith({ webhooks: both })), {
      severity: 'blocking',
      detail: /: answered 404; the shop did not reach the hub\.$/,
      nextAction: /`linker connections edit/
    })
  })

  t.test('the platform is given another address than LINKER_PUBLIC_URL', async t => {
    const callbackUrl = 'https://old.example/hub/webhooks/shopa/c1'
    const differing = { callbackUrl, publicUrl: 'https://hub.example/base/' }
    const silent = factsWith({ webhooks: { ...differing, lastDeliveryAt: daysAgo(8) } })

    t.match(findProblems(silent).find(({ code }) => code === 'webhooks-other-address'), {
      severity: 'warning',
      direction: 'in',
      detail: /go to https:\/\/old\.example, .* is https:\/\/hub\.example\.$/,
      nextAction: /callbackBaseUrl=https:\/\/hub\.example\/base`.*`linker webhook install "My shop"`/
    })
    t.match(findOne(factsWith({ webhooks: differing })), { severity: 'info' }, 'webhooks come, so it leads here')
    t.match(findOne(factsWith({ webhooks: { ...differing, canInstall: false } })).nextAction, /webhook status/)
    for (
      const same of [
        { callbackUrl, publicUrl: null },
        { callbackUrl: null, publicUrl: 'https://hub.example' },
        { callbackUrl, publicUrl: 'https://OLD.example:443' }
      ]
    ) t.strictSame(codesOf(factsWith({ webhooks: same })), [])
    t.notOk(codesOf(factsWith({ webhooks: differing, connection: { status: 'disabled' } }))
      .includes('webhooks-other-address'))
  })

  t.test('it is a warning while schedules often read all that webhooks would tell', async t => {
    const eventJobs = [{ eventType: 'order.created', jobType: 'shopa.order.syncByExternalId' }]
    const webhooks = { testPingAt: minutesAgo(30), testPingProblem: 'answered 404', lastDeliveryAt: null, eventJobs }
    const schedules = [{ name: 'poll', every: '1m', enabled: true, job: 'marketplace.orders.poll', nextAt: null }]
    const capabilities = ['OrderSource']

    t.match(findOne(factsWith({ webhooks, schedules, connection: { capabilities } })), {
      code: 'webhooks-unreached',
      severity: 'warning'
    })
  })

  t.test('not set up: the command, or the variable when the adapter cannot install them', async t => {
    const unset = { webhooksConfigured: false, lastDeliveryAt: null, secretAgeSeconds: null }
    t.match(findOne(factsWith({ webhooks: unset })), {
      code: 'webhooks-not-set-up',
      severity: 'warning',
      nextAction: 'Set them up: `linker webhook install "My shop"`.'
    })
    t.equal(
      findOne(factsWith({ webhooks: { ...unset, hasCallbackBaseUrl: false } })).nextAction,
      'Set the public address of this hub: `linker connections edit "My shop" --config ' +
        'callbackBaseUrl=https://hub.example`. Then set up the webhooks: `linker webhook install "My shop"`.'
    )
    t.match(
      findOne(factsWith({ webhooks: { ...unset, canInstall: false } })).nextAction,
      /LINKER_WEBHOOK_SECRET__SHOPA/
    )
  })

  t.test('not set up is no problem while schedules often read all that webhooks would tell', async t => {
    const poll = { name: 'poll', every: '2m', enabled: true, job: 'marketplace.orders.poll', nextAt: null }
    const severityOf = (eventJobs: Record<string, string>, ...changes: Partial<typeof poll>[]) =>
      findOne(factsWith({
        connection: { capabilities: ['OrderSource', 'InventoryMaster'] },
        webhooks: {
          webhooksConfigured: false,
          lastDeliveryAt: null,
          eventJobs: Object.entries(eventJobs).map(([eventType, jobType]) => ({ eventType, jobType }))
        },
        schedules: changes.map(change => ({ ...poll, ...change }))
      })).severity
    const orders = { 'order.changed': 'marketplace.order.syncByExternalId' }
    const stock = { 'stock.changed': 'shopa.inventory.syncByExternalId' }
    const products = { 'product.saved': 'master.product.syncByExternalId' }

    t.equal(severityOf(orders, {}), 'info')
    t.equal(severityOf({ ...orders, ...products }, {}), 'info', 'the connection does not read products')
    t.equal(severityOf(orders, { every: '15m' }), 'warning')
    t.equal(severityOf({ 'order.created': 'shopa.order.syncByExternalId' }, {}), 'info')
    t.equal(severityOf(orders, { job: 'shopa.token.refresh' }), 'warning', 'it reads nothing of the kind')
    t.equal(severityOf({ ...orders, ...stock }, {}), 'warning', 'only webhooks would tell of stock')
    t.equal(severityOf({ ...orders, ...stock }, {}, { job: 'master.inventory.syncAll' }), 'info')
    t.equal(severityOf(stock, { job: 'shopa.inventory.syncByExternalId' }), 'info', 'the job that the event starts')
    t.equal(severityOf({ 'constructor.x': 'shopa.constructor.sync' }, {}), 'warning')
  })

  t.test('never came, unless they were just installed or are refused', async t => {
    t.match(findOne(factsWith({ webhooks: { lastDeliveryAt: null } })), { code: 'webhooks-never', severity: 'warning' })
    t.match(findOne(factsWith({ webhooks: { lastDeliveryAt: null, secretAgeSeconds: null } })), {
      code: 'webhooks-never'
    })
    t.strictSame(findProblems(factsWith({ webhooks: { lastDeliveryAt: null, secretAgeSeconds: 60 } })), [])
    const madeNow = factsWith({
      connection: { createdAt: minutesAgo(5) },
      webhooks: { lastDeliveryAt: null, secretAgeSeconds: null }
    })
    t.strictSame(findProblems(madeNow), [])
    t.strictSame(codesOf(factsWith({ webhooks: { lastDeliveryAt: null, refusals: [refusal] } })), ['webhooks-refused'])
  })

  t.test('silent for a day informs, and for a week warns', async t => {
    const quiet = factsWith({ webhooks: { lastDeliveryAt: hoursAgo(25) } })
    const silent = factsWith({ webhooks: { lastDeliveryAt: daysAgo(8), canInstall: false } })

    t.match(findOne(quiet), { code: 'webhooks-silent', severity: 'info', detail: /came 1 day ago/ })
    t.match(verdictOf(quiet, findProblems(quiet)), /^Nothing is wrong: /)
    t.match(findOne(silent), { severity: 'warning', detail: /came 8 days ago/, nextAction: /linker webhook status/ })
    t.strictSame(findProblems(factsWith({ webhooks: { lastDeliveryAt: hoursAgo(23) } })), [])
  })

  t.test('they are installed again, after the public address of the hub is set', async t => {
    const actionOf = (webhooks: object) => findOne(factsWith({ webhooks })).nextAction
    const set = 'To install the webhooks again, set the public address of this hub: ' +
      '`linker connections edit "My shop" --config callbackBaseUrl=https://hub.example`. ' +
      'Then `linker webhook install "My shop"` installs them and sends a test.'
    const again = '`linker webhook install "My shop"` installs the webhooks again and sends a test.'
    const cases = [
      [{ lastDeliveryAt: hoursAgo(25) }, 'Check whether the platform has changed since.'],
      [{ lastDeliveryAt: null }, 'Check the address and the events that the platform has.']
    ] as const

    for (const [webhooks, check] of cases) {
      t.equal(actionOf(webhooks), `${check} ${again}`)
      t.equal(actionOf({ ...webhooks, hasCallbackBaseUrl: false }), `${check} ${set}`)
    }
  })

  t.test('accepted events of an unknown type start nothing', async t => {
    const events = (eventType: string, count: number) => ({
      eventType,
      count,
      firstAt: minutesAgo(30),
      lastAt: minutesAgo(1),
      lastDeliveryId: jobId,
      replayableUntil: daysAgo(-7),
      isKnown: false,
      newVersion: null
    })
    const unknownEvents = [events('stock.chnaged', 4), events('x', 1)]
    t.match(findOne(factsWith({ webhooks: { unknownEvents } })), {
      code: 'events-unknown',
      severity: 'warning',
      count: 5,
      detail: /^5 accepted events .*, and were not replayed: 'stock\.chnaged', 'x'\. The first .* until 2026-02-07T12:/,
      evidence: { deliveryId: jobId, at: minutesAgo(1) },
      nextAction: new RegExp('`linker deliveries replay --connection "My shop" --status ignored --type stock.chnaged ' +
        `--since ${minutesAgo(30)} --dry-run\``)
    })
    t.match(findOne(factsWith({ webhooks: { unknownEvents: [events('x', 1)] } })), {
      severity: 'info',
      detail: /^1 accepted event .* was not replayed/
    })
  })
})

t.test('jobs', async t => {
  const waiting = (more: Parameters<typeof waitingJobs>[0], jobs: Partial<Facts['jobs']> = {}): Facts =>
    factsWith({ jobs: { waiting: [waitingJobs(more)], ...jobs } })

  t.test('ready for more than five minutes: no worker, or too few', async t => {
    const readySince = minutesAgo(6)
    t.match(findOne(waiting({ readySince })), {
      code: 'queue-old',
      severity: 'blocking',
      direction: 'out',
      since: readySince,
      count: 3,
      detail: /^3 jobs could run, .* \(6 minutes\), and no job of this connection is running\.$/,
      nextAction: /linker start --role worker/
    })
    t.match(findOne(factsWith({ jobs: { running: 10, waiting: [waitingJobs({ readySince })] } })), {
      severity: 'warning',
      detail: /and 10 jobs of it are running\.$/,
      nextAction: /linker jobs list --connection "My shop" --status running/
    })
    t.strictSame(findProblems(waiting({ readySince: minutesAgo(4) })), [])
  })

  t.test('an old queue in both directions', async t => {
    const readySince = minutesAgo(6)
    const both = ['marketplace.offerQuantity.update', 'marketplace.orders.poll']
      .map(jobType => waitingJobs({ readySince, jobType }))
    t.match(findOne(factsWith({ jobs: { waiting: both } })), { direction: 'both', count: 6 })
  })

  t.test('another attempt: blocking when nothing of the type has succeeded since', async t => {
    const retry = {
      reason: 'retry',
      code: 'LNK_ADAPTER_TRANSIENT',
      detail: 'no answer',
      until: minutesAgo(-2)
    } as const
    t.match(findOne(waiting(retry)), {
      code: 'jobs-wait-retry',
      severity: 'blocking',
      direction: 'out',
      detail: `Jobs failed and wait for another attempt: 3 jobs marketplace.offerQuantity.update, the first until ${
        minutesAgo(-2)
      }. LNK_ADAPTER_TRANSIENT: no answer.`,
      count: 3,
      evidence: { jobId }
    })
    const runs = [lastRun({ jobType: 'marketplace.offerQuantity.update', at: minutesAgo(9) })]
    t.match(findOne(waiting(retry, { last: { runs, atMost: false } })), { severity: 'warning' })
    t.match(findOne(waiting({ ...retry, oldestAt: minutesAgo(4) })), { severity: 'warning' })
  })

  t.test('a rest that the platform asked for', async t => {
    t.match(findOne(waiting({ reason: 'rate-limit', code: 'LNK_ADAPTER_RATE_LIMITED', detail: 'slow down' })), {
      code: 'jobs-wait-rate-limit',
      severity: 'warning'
    })
  })

  t.test('an adapter that another process lacks, and that this one has', async t => {
    const adapter = { reason: 'adapter', code: 'LNK_ADAPTER_MISSING', detail: 'not loaded' } as const
    t.match(findOne(waiting(adapter)), { code: 'jobs-wait-adapter', severity: 'blocking' })
    t.strictSame(
      codesOf(factsWith({ adapter: { state: 'missing' }, jobs: { waiting: [waitingJobs(adapter)] } })),
      ['adapter-missing']
    )
  })

  t.test('waits that other findings explain, or that end by themselves, are no findings', async t => {
    const reasons = ['connection-disabled', 'connection-paused', 'capability-paused', 'delay', 'object'] as const
    for (const reason of reasons) t.strictSame(findProblems(waiting({ reason })), [], reason)
  })

  t.test('dead by group, with the message of the last when it is of this group', async t => {
    const failure = lastRun({
      jobType: 'master.order.create',
      hasSucceeded: false,
      problem: { code: 'LNK_ADAPTER_REJECTED', message: 'unknown carrier' }
    })
    const dead = (group: Parameters<typeof deadJobs>[0], runs = [failure]): Facts =>
      factsWith({ jobs: { dead: { groups: [deadJobs(group)], atMost: false }, last: { runs, atMost: false } } })

    t.match(findOne(dead({})), {
      code: 'jobs-dead',
      severity: 'warning',
      direction: 'out',
      detail: `1 job master.order.create died with LNK_ADAPTER_REJECTED, the last at ${hoursAgo(4)}: unknown carrier.`,
      since: hoursAgo(5),
      count: 1,
      evidence: { jobId, at: hoursAgo(4) },
      nextAction: `Remove the cause, then run it again: \`linker jobs retry ${jobId}\`; \`linker jobs list ` +
        '--connection "My shop" --status dead --type master.order.create --code LNK_ADAPTER_REJECTED` lists it.'
    })
    const redrive = 'linker jobs redrive --connection "My shop" --type master.order.create --code LNK_ADAPTER_REJECTED'
    t.match(
      findOne(dead({ count: 2 })).nextAction,
      `then run them again: \`${redrive} --dry-run\` tells what would ` +
        `happen, \`${redrive} --first 1 --wait\` tries one of them; \`linker jobs list`
    )
    t.notMatch(findOne(dead({ count: 2, code: null })).nextAction, /--code|jobs retry/)
    t.notMatch(findOne(dead({ code: 'LNK_JOB_DEADLINE' })).detail, /carrier/)
    t.notMatch(findOne(dead({ code: null })).nextAction, /--code/)
    t.match(findOne(dead({ count: 3 })), { severity: 'blocking', detail: /none of this type has succeeded since/ })
    const success = lastRun({ jobType: 'master.order.create', at: hoursAgo(3) })
    t.match(findOne(dead({ count: 3 }, [success, failure])), { severity: 'warning' })

    const between = { ...success, at: hoursAgo(4.5) }
    const many = (succeeded: number, failed: number, more = {}) =>
      findOne(dead({ count: 20, ...more }, [{ ...between, count: succeeded }, { ...failure, count: failed }]))
    t.match(many(1, 20), { severity: 'blocking', detail: /, and more of this type failed than succeeded lately: / })
    t.match(many(20, 20), { severity: 'warning' })
    t.match(many(1, 19, { count: 19 }), { severity: 'warning' })
    t.match(many(1, 20, { firstAt: hoursAgo(26), lastAt: hoursAgo(25) }), { severity: 'warning' })
  })

  t.test('many died, and the type has succeeded since: a warning, also while another attempt fails', async t => {
    const jobType = 'master.order.create'
    const groups = [deadJobs({ count: 25, firstAt: hoursAgo(21), lastAt: hoursAgo(20) })]
    const failed = lastRun({ jobType, hasSucceeded: false, at: hoursAgo(20), count: 25 })
    const succeeded = lastRun({ jobType, at: minutesAgo(1), count: 20 })
    const severityOf = (...runs: ReturnType<typeof lastRun>[]) =>
      findOne(factsWith({ jobs: { dead: { groups, atMost: false }, last: { runs, atMost: false } } })).severity

    t.equal(severityOf(succeeded, failed), 'warning')
    t.equal(severityOf({ ...failed, at: checkedAt, count: 26 }, succeeded), 'warning')
    t.equal(severityOf(failed, { ...succeeded, at: hoursAgo(20.5) }), 'blocking', 'none has succeeded since the last')
  })

  t.test('ten groups at most are told', async t => {
    const groups = Array.from({ length: 12 }, (_, index) => deadJobs({ code: `LNK_${index}` }))
    t.equal(findProblems(factsWith({ jobs: { dead: { groups, atMost: false } } })).length, 10)
  })
})

t.test('what the hub reads on its own', async t => {
  const schedule = {
    name: 'marketplace-orders-poll',
    every: '2m',
    enabled: true,
    job: 'marketplace.orders.poll',
    nextAt: checkedAt
  }

  t.test('a schedule that is off warns, and only informs while webhooks come', async t => {
    const off = { schedules: [{ ...schedule, enabled: false, nextAt: null, lastJobId: jobId }] }
    t.match(findOne(factsWith({ ...off, webhooks: null })), {
      code: 'schedule-off',
      severity: 'warning',
      direction: 'in',
      detail: /marketplace-orders-poll is off, so nothing makes the job marketplace\.orders\.poll every 2m\.$/,
      evidence: { jobId },
      nextAction: /`PATCH \/connections\/\S+\/schedules\/marketplace-orders-poll`/
    })
    t.match(findOne(factsWith(off)), { severity: 'info' })
  })

  t.test('a schedule that nobody fires', async t => {
    const late = { schedules: [{ ...schedule, dueSince: minutesAgo(6) }] }
    t.match(findOne(factsWith(late)), { code: 'schedule-late', severity: 'blocking', since: minutesAgo(6) })
    t.strictSame(findProblems(factsWith({ schedules: [{ ...schedule, dueSince: minutesAgo(1) }] })), [])
    t.strictSame(findProblems(factsWith({ ...late, connection: { updatedAt: minutesAgo(2) } })), [])
  })

  t.test('a cursor that did not move for a day', async t => {
    const cursors = [{ cursorKey: 'orders', updatedAt: daysAgo(2) }]
    const unread = { last: { runs: [lastRun({ at: daysAgo(3) })], atMost: false } }
    t.match(findOne(factsWith({ cursors, jobs: unread })), {
      code: 'cursor-stuck',
      severity: 'warning',
      detail: /for 2 days, .*; nothing was read from the platform since\.$/,
      nextAction: /linker connections cursors list "My shop"/
    })
    t.match(findOne(factsWith({ cursors })), { severity: 'info', detail: /may have nothing newer\.$/ })
  })
})

t.test('the gravest comes first; causes come before what follows from them', async t => {
  const facts = factsWith({
    connection: { pauses: [{ ...pause, capability: 'InventoryMaster' }] },
    credentials: { state: 'missing' },
    webhooks: { refusals: [refusal], lastDeliveryAt: hoursAgo(26) },
    jobs: { dead: { groups: [deadJobs()], atMost: false } },
    cursors: [{ cursorKey: 'orders', updatedAt: daysAgo(2) }]
  })
  const findings = findProblems(facts)

  t.strictSame(findings.map(({ severity, code }) => `${severity} ${code}`), [
    'blocking credentials-missing',
    'blocking webhooks-refused',
    'warning capability-paused',
    'warning jobs-dead',
    'info cursor-stuck'
  ])
  t.equal(verdictOf(facts, findings), "The hub has no credentials for 'My shop', and its adapter needs some.")
})

t.test('the documentation lists every code', async t => {
  const runtime = join(import.meta.dirname, '../..')
  const written = new Set<string>()
  for await (const file of glob('src/diagnostics/*-findings.ts', { cwd: runtime })) {
    const text = await readFile(join(runtime, file), 'utf8')
    for (const [, code = ''] of text.matchAll(/\bcode: '([a-z-]+)'/g)) written.add(code)
  }
  for (const reason of ['adapter', 'rate-limit', 'retry', 'unavailable']) written.add(`jobs-wait-${reason}`)
  const chapter = await readChapter('connections', 'Diagnose a connection')
  const listed = [...chapter.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code = '']) => code))
    .filter(code => code !== 'code')

  t.ok(written.size > 15)
  t.strictSame(listed.toSorted(), [...written].toSorted())
})
