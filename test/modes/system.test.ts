import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'

interface System {
  processes: { pid: number, role: string, answers: boolean }[]
  start: { step: string, ms: number }[]
  logLevel: { level: string, usual: string, until: string | null }
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a hub tells what runs, and logs at another level for a while`, async t => {
    const hub = await buildTestHub(t, { mode, variables: { LOG_LEVEL: 'info' } })
    const shop = await hub.connect('shopa')
    const system = async () => (await hub.call('GET', '/system')).json as System
    const test = () => hub.call('POST', `/connections/${shop}/test`)
    const calls = () => hub.log.filter(line => line.includes('upstream call')).length

    t.test('what runs is complete', async t => {
      const found = await eventually('the process', async () => {
        const { processes } = await system()
        return processes.length > 0 ? system() : undefined
      })
      t.match(found, {
        mode,
        role: 'all',
        node: process.version,
        publicUrl: null,
        freeBytes: mode === 'embedded' ? Number : null,
        encryption: Boolean,
        isProduction: false,
        console: true,
        adapters: [{ adapter: /@\d/, state: 'ready' }],
        logLevel: { level: 'info', usual: 'info', until: null },
        retention: {
          webhookDays: 7,
          finishedJobDays: 14,
          deadJobDays: 30,
          auditDays: 400,
          personalDataDays: 180,
          figureDays: 90
        }
      })
      t.match(found.processes, [{ pid: process.pid, role: 'all', mode, answers: true, startedAt: /Z$/, seenAt: /Z$/ }])
      t.strictSame(found.start.map(({ step }) => step), [
        'opening the database',
        'loading the adapters',
        'opening the routes and starting the jobs'
      ])
    })

    t.test('another level holds for its minutes, and the audit says who set it', async t => {
      const set = await hub.call('PUT', '/system/log-level', { body: { level: 'error', minutes: 5 } })
      t.match([set.status, set.json], [200, { level: 'error', usual: 'info', until: /Z$/ }])
      const before = calls()
      await test()
      t.equal(calls(), before, 'loggers that the hub made when it started follow')

      const reset = await hub.call('DELETE', '/system/log-level')
      t.match([reset.status, reset.json], [200, { level: 'info', until: null }])
      await test()
      t.ok(calls() > before)
      t.match((await hub.call('GET', '/audit?action=log-level.set')).json, [
        { changes: [{ pointer: '/level', from: 'error', to: 'info' }] },
        { changes: [{ pointer: '/level', from: 'info', to: 'error' }, { pointer: '/minutes', to: 5 }] }
      ])
    })

    t.test('a level whose time is over is not the level', async t => {
      await hub.call('PUT', '/system/log-level', { body: { level: 'error' } })
      await hub.database().query('update log_levels set until = now()')
      t.match((await system()).logLevel, { level: 'info', until: null })
      await hub.call('DELETE', '/system/log-level')
    })

    t.test('a level or a length that does not exist is refused and changes nothing', async t => {
      for (const body of [{}, { level: 'loud' }, { level: 'info', minutes: 0 }, { level: 'info', minutes: 1_441 }]) {
        t.match(problemOf(await hub.call('PUT', '/system/log-level', { body })), {
          status: 400,
          code: 'LNK_REQUEST_INVALID'
        })
      }
      t.match((await system()).logLevel, { level: 'info', until: null })
    })

    if (mode === 'embedded') return

    t.test('a process that uses other streams than the rest is said in its log and by every process', async t => {
      const { query } = hub.database()
      await query(
        `
        insert into processes (id, role, version, host, pid, started_at, seen_at, mode)
        values (gen_random_uuid(), 'http', '1.0.0', 'elsewhere', 4711, now(), now(), $1)`,
        [mode === 'full' ? 'postgres' : 'full']
      )
      const other = await startHubProcess(hub.directory, { ...hub.variables, LOG_LEVEL: 'error' })
      t.teardown(() => other.kill())
      const line = await eventually('the line', async () => other.log.find(text => text.includes('"inRedis"')))

      t.match(JSON.parse(line), {
        mode,
        [mode === 'full' ? 'inTables' : 'inRedis']: [{ host: 'elsewhere', pid: 4711 }]
      })
      const { json } = await hub.call('GET', '/attention')
      t.match((json as { kind: string }[]).find(({ kind }) => kind === 'mixed-streams'), { severity: 'error' })
      await other.stop()
      await query("delete from processes where host = 'elsewhere'")
    })

    t.test('all processes are listed and follow the level, and one that ended is gone', async t => {
      await writeFile(join(hub.directory, 'linker.config.json'), JSON.stringify({}))
      const other = await startHubProcess(hub.directory, { ...hub.variables, LOG_LEVEL: 'warn' })
      t.teardown(() => other.kill())
      const there = hub.at(other.url)
      const both = await eventually('both processes', async () => {
        const { processes } = await system()
        return processes.length === 2 ? processes : undefined
      })
      t.strictSame(both.map(({ answers }) => answers), [true, false])
      await there('PUT', '/system/log-level', { body: { level: 'error', minutes: 5 } })
      const before = calls()
      await eventually('this process to follow', async () => {
        const known = calls()
        await test()
        return calls() === known ? true : undefined
      })
      t.ok(calls() >= before)
      t.match((await there('GET', '/system')).json, { logLevel: { level: 'error', usual: 'warn' } })
      await there('DELETE', '/system/log-level')
      await other.stop()

      await eventually('the end', async () => (await system()).processes.length === 1 ? true : undefined)
    })
  })
}
