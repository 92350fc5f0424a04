import { mock } from 'node:test'
import t from 'tap'
import { startAlertReceiver } from '../support/alert-receiver.ts'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { scrape, seriesOf } from '../support/metrics.ts'
import { availableModes } from '../support/modes.ts'

interface Item {
  kind: string
  severity: string
  since: string | null
}

const secret = 'a-secret-of-the-alerts'

async function kindsOf (hub: TestHub): Promise<string[]> {
  return ((await hub.call('GET', '/attention')).json as Item[]).map(({ kind }) => kind)
}

/** The diagnosis looks anew each time. */
async function diagnose (hub: TestHub, connectionId: string): Promise<{ code: string, severity: string }[]> {
  const { json } = await hub.call('GET', `/connections/${connectionId}/diagnostics`)
  return (json as { findings: { code: string, severity: string }[] }).findings
}

/** Lets the process of role http have run for a while. */
async function ageHub (hub: TestHub): Promise<void> {
  await eventually('the process', async () => {
    const { query } = hub.database()
    const rows =
      await query("update processes set started_at = now() - interval '10 minutes' where role = 'http' returning id")
    return rows.length > 0 ? true : undefined
  })
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a hub of which no process runs jobs`, async t => {
    mock.timers.enable({ apis: ['setInterval'] })
    t.teardown(() => {
      mock.timers.reset()
    })
    const receiver = await startAlertReceiver(t, secret)
    const variables = { LINKER_ALERT_WEBHOOK_URL: receiver.url, LINKER_ALERT_WEBHOOK_SECRET: secret }
    const asHttp = { variables: { ...variables, LINKER_ROLE: 'http' } }
    const hub = await buildTestHub(t, { mode, ...asHttp })
    const shop = await hub.connect('shopa', { name: 'My shop' })
    const hasFinding = async () => (await diagnose(hub, shop)).some(({ code }) => code === 'no-worker')

    await t.test('a hub that has just started gives the others time', async t => {
      t.notOk(await hasFinding())
      t.notOk((await kindsOf(hub)).includes('no-worker'))
      await hub.tellPeople()
      t.strictSame(receiver.bodies, [])
    })

    await ageHub(hub)
    if (mode === 'embedded') {
      await t.test('an embedded hub has no other process', async t => {
        t.notOk(await hasFinding())
      })
      return
    }

    await t.test('it is the first thing that needs a person, and a finding that blocks', async t => {
      t.match((await diagnose(hub, shop))[0], { code: 'no-worker', severity: 'blocking' })
      await eventually('the item', async () => (await kindsOf(hub))[0] === 'no-worker' ? true : undefined)
      t.match((await hub.call('GET', '/attention')).json, [{ kind: 'no-worker', severity: 'error', since: null }])
      const doctor = await runLinker(['doctor', '--url', hub.url, '--token', hub.keys.admin], hub.directory)
      t.match(doctor.stdout, /^! attention +No process runs jobs\. /m)
    })

    await t.test('the process that is left tells people, every minute and by itself', async t => {
      mock.timers.tick(60_000)
      await eventually('the message', async () => receiver.bodies.length > 0 ? true : undefined)

      t.ok(receiver.bodies[0]?.new.some(({ key }) => key === 'no-worker'))
    })

    await t.test('a scrape counts it', async t => {
      const series = await eventually('the figure', async () => {
        const found = seriesOf(await scrape(hub), 'linker_attention')
        return found['kind="no-worker"'] === 1 ? found : undefined
      })
      t.ok(series)
    })

    await t.test('it is over as soon as a worker lives, which then tells people', async t => {
      const before = receiver.bodies.length
      await hub.restart({ variables })
      t.notOk(await hasFinding())
      await hub.database().query('update alert_channels set next_look_at = now()')
      // The end is told five minutes after the beginning at the earliest.
      await hub.database().query("update alert_tellings set told_at = told_at - interval '6 minutes'")
      await hub.tellPeople()

      t.match(receiver.bodies.slice(before), [{ recovered: [{ key: 'no-worker' }] }])
    })

    await t.test('a worker that is stopped for a restart is no alarm; one that stays away is', async t => {
      await hub.restart(asHttp)
      await ageHub(hub)
      const before = receiver.bodies.length
      t.notOk(await hasFinding())
      await hub.database().query('update alert_channels set next_look_at = now()')
      await hub.tellPeople()
      t.equal(receiver.bodies.length, before, 'telling people is for the worker')

      await hub.database().query("update processes set seen_at = seen_at - interval '2 minutes' where role = 'all'")
      t.match((await diagnose(hub, shop))[0], { code: 'no-worker', since: /Z$/ })
    })
  })
}
