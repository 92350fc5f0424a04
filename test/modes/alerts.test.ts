import t from 'tap'
import { startAlertReceiver } from '../support/alert-receiver.ts'
import { eventually } from '../support/api.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { startMailSink } from '../support/mail-sink.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface Alerts {
  channels: { channel: string, failures: number, failingSince: string | null, problem: string | null }[]
  open: { key: string, kind: string, told: { channel: string, at: string }[], quiet: object[] }[]
}

const secret = 'a-secret-of-the-alerts'
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Lets the jobs of a connection wait for a person, as a refused key does. */
async function fail (hub: TestHub, id: string, status: 'error' | 'active'): Promise<void> {
  await hub.database().query('update connections set status = $2, version = version + 1 where id = $1', [id, status])
}

async function alertsOf (hub: TestHub): Promise<Alerts> {
  return (await hub.call('GET', '/alerts')).json as Alerts
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: people are told what needs them`, async t => {
    const receiver = await startAlertReceiver(t, secret)
    const sink = await startMailSink(t)
    let nowMs = Date.now()
    const options = {
      now: () => new Date(nowMs),
      variables: {
        LINKER_ALERT_WEBHOOK_URL: receiver.url,
        LINKER_ALERT_WEBHOOK_SECRET: secret,
        LINKER_ALERT_SMTP_URL: sink.url.replace('//', '//user:pass-word-1@'),
        LINKER_ALERT_MAIL_FROM: 'hub@shop.example',
        LINKER_ALERT_MAIL_TO: 'anna@shop.example, piotr@shop.example'
      }
    }
    const hub = await buildTestHub(t, { mode, ...options })
    const shop = await hub.connect('shopa', { name: 'My shop' })
    const market = await hub.connect('mktb', { name: 'My market' })
    /** Looks after some time, and returns what the webhook told. */
    const lookAfter = async (ms: number): Promise<{ fresh: string[], open: string[], recovered: string[] }[]> => {
      nowMs += ms
      const before = receiver.bodies.length
      await hub.tellPeople()
      return receiver.bodies.slice(before).map(body => ({
        fresh: body.new.map(({ key }) => key),
        open: body.open.map(({ key }) => key),
        recovered: body.recovered.map(({ key }) => key)
      }))
    }
    const key = `connection-error:${shop}`

    await t.test('nothing is told while nothing needs a person', async t => {
      t.strictSame(await lookAfter(minuteMs), [])
      t.equal(sink.mails.length, 0)
    })

    await t.test('a look tells all that is new in one message on each channel', async t => {
      await fail(hub, shop, 'error')
      await fail(hub, market, 'error')
      const [told] = await lookAfter(minuteMs)

      t.strictSame(told?.fresh.toSorted(), [key, `connection-error:${market}`].toSorted())
      t.strictSame([told?.open, told?.recovered], [[], []])
      t.equal(sink.mails.length, 1)
      t.match(sink.mails[0], /^Subject: \[Linker \S+\] '.*' is in error and 1 more$/m)
      t.match(sink.mails[0], /^To: anna@shop\.example, piotr@shop\.example$/m)
      t.match(sink.mails[0], /My shop/)
      t.match(await alertsOf(hub), { open: [{ told: [{ channel: 'mail' }, { channel: 'webhook' }] }, {}] })
    })

    await t.test('a look too soon, and a restart, repeat nothing', async t => {
      t.strictSame(await lookAfter(1_000), [])
      await hub.restart(options)
      t.strictSame(await lookAfter(2 * minuteMs), [])
    })

    await t.test('the end is told once; an error that comes back is told at once', async t => {
      await fail(hub, shop, 'active')
      t.strictSame(await lookAfter(minuteMs), [])
      t.strictSame(await lookAfter(2 * minuteMs), [{ fresh: [], open: [], recovered: [key] }])
      t.match(sink.mails.at(-1), /^RECOVERED$/m)

      await fail(hub, shop, 'error')
      t.strictSame(await lookAfter(minuteMs), [{ fresh: [key], open: [], recovered: [] }])
    })

    await t.test('a warning that comes back soon is quiet for a while, and the list says until when', async t => {
      const made = await hub.call('POST', '/tokens', { body: { name: 'reader', scope: 'read' } })
      const { id } = made.json as { id: string }
      const tokenKey = `ending-token:${id}`
      // The hub tells of a token in the last quarter of its life.
      await hub.database().query("update api_tokens set created_at = created_at - interval '10 days' where id = $1", [
        id
      ])
      const end = async (hasEnd: boolean) =>
        hub.database().query('update api_tokens set expires_at = $2 where id = $1', [
          id,
          hasEnd ? new Date(nowMs + 2 * hourMs) : null
        ])
      await end(true)
      t.strictSame(await lookAfter(minuteMs), [{ fresh: [tokenKey], open: [], recovered: [] }])
      const quietUntil = new Date(nowMs + hourMs).toISOString()
      await end(false)
      t.strictSame(await lookAfter(5 * minuteMs), [{ fresh: [], open: [], recovered: [tokenKey] }])
      await end(true)
      t.strictSame(await lookAfter(minuteMs), [])

      const item = await eventually(
        'the item',
        async () => (await alertsOf(hub)).open.find(found => found.key === tokenKey)
      )
      t.match(item, {
        told: { length: 0 },
        quiet: [{ channel: 'mail', until: quietUntil }, { channel: 'webhook', until: quietUntil }]
      })
      await end(false)
    })

    await t.test('what stands for a day is told again', async t => {
      const [told] = await lookAfter(24 * hourMs)

      t.strictSame(told?.open.toSorted(), [key, `connection-error:${market}`].toSorted())
    })

    await t.test('a message that does not arrive is sent again, and the other channel tells of it', async t => {
      await fail(hub, market, 'active')
      sink.refuse(true)
      const mails = sink.mails.length
      t.match(await lookAfter(5 * minuteMs), [{ recovered: [`connection-error:${market}`] }])
      t.match(await lookAfter(minuteMs), [{ fresh: ['alert-channel:mail'] }])
      t.equal(sink.mails.length, mails)
      t.match((await alertsOf(hub)).channels, [{ channel: 'webhook', failures: 0 }, { channel: 'mail', failures: 2 }])
      t.notMatch((await alertsOf(hub)).channels[1]?.problem, /pass-word-1/)

      sink.refuse(false)
      t.match(await lookAfter(5 * minuteMs), [])
      t.equal(sink.mails.length, mails + 1)
      t.match(sink.mails.at(-1), /My market/)
      t.match(await lookAfter(minuteMs), [{ recovered: ['alert-channel:mail'] }])
    })

    await t.test('a channel that works again is seen by itself, also when there is nothing to tell', async t => {
      await fail(hub, market, 'error')
      sink.refuse(true)
      await lookAfter(minuteMs)
      await fail(hub, market, 'active')
      sink.refuse(false)
      const mails = sink.mails.length
      await lookAfter(2 * minuteMs)

      t.equal(sink.mails.length, mails + 1)
      t.match(sink.mails.at(-1), /^Subject: \[Linker \S+\] Test of the alerts$/m)
      t.match((await alertsOf(hub)).channels[1], { channel: 'mail', failures: 0 })
      await lookAfter(5 * minuteMs)
    })

    await t.test('a test reaches each channel, and says what does not work', async t => {
      receiver.answer(500)
      const failed = await hub.call('POST', '/alerts/test')
      receiver.answer(204)
      const passed = await hub.call('POST', '/alerts/test')

      t.match(failed.json, [{ channel: 'webhook', success: false, message: /500/ }, { channel: 'mail', success: true }])
      t.notMatch(failed.text, /a-secret-of-the-address|pass-word-1/)
      t.match(passed.json, [{ channel: 'webhook', success: true }, { channel: 'mail', success: true }])
      t.equal(receiver.bodies.at(-1)?.eventType, 'attention.test')
      t.match(sink.mails.at(-1), /^Subject: \[Linker \S+\] Test of the alerts$/m)
    })

    await t.test('two processes tell a thing once', async t => {
      await fail(hub, market, 'error')
      nowMs += 2 * hourMs
      const before = receiver.bodies.length
      await Promise.all([hub.tellPeople(), hub.tellPeople()])

      t.equal(receiver.bodies.length, before + 1)
    })

    await t.test('nothing of it holds a secret', async t => {
      const said = JSON.stringify([receiver.bodies, sink.mails, hub.log, await alertsOf(hub)])
      for (const word of [...Object.values(hub.keys), secret, 'pass-word-1']) t.notOk(said.includes(word))
    })

    await t.test('without a channel, a test says which settings are missing', async t => {
      await hub.restart()
      const answer = await hub.call('POST', '/alerts/test')

      t.equal(answer.status, 409)
      t.equal(problemOf(answer).code, 'LNK_ALERTS_NOT_CONFIGURED')
      t.strictSame((await alertsOf(hub)).channels, [])
      await eventually(
        'the item of the channel to be gone',
        async () => (await alertsOf(hub)).open.some(({ kind }) => kind === 'alert-channel') ? undefined : true
      )
    })
  })
}
