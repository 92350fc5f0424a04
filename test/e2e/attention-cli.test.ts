import { join } from 'node:path'
import t from 'tap'
import { refused } from '../support/command.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { startMailSink } from '../support/mail-sink.ts'
import { cheapestMode } from '../support/modes.ts'

t.test('linker attention and linker alerts', async t => {
  const sink = await startMailSink(t)
  const variables = {
    LINKER_ALERT_SMTP_URL: sink.url,
    LINKER_ALERT_MAIL_FROM: 'hub@shop.example',
    LINKER_ALERT_MAIL_TO: 'anna@shop.example'
  }
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env), variables })
  const shop = await hub.connect('shopa', { name: 'My shop' })
  const run = (...args: string[]) => runLinker([...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)

  await t.test('attention exits with 0 while nothing is broken', async t => {
    const { code, stdout } = await run('attention')

    t.match(stdout, /^info {5}New credentials are not encrypted\n {9}Everybody /m)
    t.equal(code, 0)
  })

  await t.test('attention exits with 1 when something is, and doctor and alerts show it', async t => {
    await hub.database().query(
      `insert into orders (
        id, connection_id, external_id, status, source_status, revision, snapshot, placed_at, created_at, updated_at
      )
      values (gen_random_uuid(), $1, 'o1', 'failed', 'processing', '1', '{}', now(), now(), now())`,
      [shop]
    )
    await hub.tellPeople()
    const [shown, json, listed, doctor] = [
      await run('attention'),
      await run('attention', '--json'),
      await run('alerts', 'list'),
      await run('doctor')
    ]

    t.match(shown, { code: 1, stdout: /^error {4}'My shop': 1 order failed \(for \d+ \w+\)\n/ })
    t.match(JSON.parse(json.stdout), [{ kind: 'failed-orders', severity: 'error', connectionId: shop }])
    t.equal(json.code, 1)
    t.match(listed, { code: 0, stdout: /^mail: last message \S+Z\nSEVERITY.*\nerror +\S+Z +mail \S+Z +'My shop'/ })
    t.match(doctor.stdout, /^! attention +'My shop': 1 order failed\./m)
    t.equal(sink.mails.length, 1)
  })

  await t.test('alerts test exits with 1 when a channel does not work', async t => {
    const works = await run('alerts', 'test')
    sink.refuse(true)
    const fails = await run('alerts', 'test', '--json')

    t.match(works, { code: 0, stdout: /^✓ mail \(\d+ ms\): / })
    t.match(JSON.parse(fails.stdout), [{ channel: 'mail', success: false, message: /550/ }])
    t.equal(fails.code, 1)
  })

  await t.test('alerts test says which settings are missing', async t => {
    await hub.restart()
    refused(t, await run('alerts', 'test'), /409 LNK_ALERTS_NOT_CONFIGURED/)
  })

  await t.test('doctor says the same from the database while no hub runs', async t => {
    await hub.call('POST', `/connections/${shop}/pause`, { body: { reason: 'inventory' } })
    await hub.database().query(
      `insert into upstream_states (connection_id, version, state, is_guarded)
      values ($1, 1, json_build_object('breaker', json_build_object(
        'openedAt', (extract(epoch from now()) * 1000)::bigint - 3600000,
        'openUntil', (extract(epoch from now()) * 1000)::bigint + 3600000,
        'openings', 4, 'failure', 'HTTP 503'
      )), true)
      on conflict (connection_id) do update set state = excluded.state, is_guarded = true`,
      [shop]
    )
    const url = hub.url
    const asked = await run('doctor')
    await hub.stop()
    const variables = { ...hub.variables, LINKER_DATA_DIR: join(hub.directory, 'state') }
    const alone = await runLinker(['doctor', '--url', url], hub.directory, variables)

    t.match(alone.stdout, /^✓ hub +no hub answers at /m)
    t.equal(alone.stderr, '')
    for (const { stdout } of [asked, alone]) {
      t.match(stdout, /^! attention +The platform of 'My shop' does not work\. Calls of 'My shop' have failed /m)
      t.match(stdout, /^! attention +'My shop': 1 order failed\./m)
      t.match(
        stdout,
        /^! connection +My shop \(\S+\) is paused by .*: inventory; its jobs wait → linker connections resume /m
      )
    }
  })
})
