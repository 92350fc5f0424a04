import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { installShopaVersions } from '../fixtures/shopa-versions.ts'
import { createApi, eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { availableModes, cheapestMode } from '../support/modes.ts'
import { createMover, type Move } from '../support/moves.ts'

const released = 'shopa.webservice.v1@0.1.0'
const next = 'shopa.webservice.v1@0.2.0'
const products = 60
// Each version runs at least this many jobs before the connection is moved on.
const servedByEach = 20
const longestMs = 60_000

interface Span {
  from: number
  to: number
}

const modes = new Set([cheapestMode(process.env), ...availableModes(process.env).filter(mode => mode === 'full')])

for (const mode of modes) {
  t.test(
    `${mode}: a connection is moved and rolled back under load, and nothing is lost or served by two versions at ` +
      'once',
    async t => {
      const hub = await buildTestHub(t, { mode, install: directory => installShopaVersions(directory, ['0.2.0']) })
      const { move, rollback, isMoving } = createMover(hub)
      const connectionId = await hub.connect('shopa', { adapterVersion: '0.1.0', adapterKey: 'shopa.webservice.v1' })
      for (let id = 1_001; id <= 1_000 + products; id++) hub.shop.addProduct({ id, name: `Product ${id}`, quantity: 1 })
      // Long enough that runs of two versions would overlap if they could.
      hub.shop.faults.add({ path: /./, delayMs: 150, times: 1_000_000 })
      // Where several processes can share a database, a second process claims jobs too.
      const worker = mode === 'full'
        ? await startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: 'worker', LOG_LEVEL: 'warn' })
        : undefined
      t.teardown(() => worker?.kill())
      hub.shop.requests.clear()

      const deliveries: string[] = []
      async function send (number: number): Promise<void> {
        const [eventType, objectType] = number % 2 === 0 ? ['product.saved', 'product'] : ['stock.changed', 'stock']
        const { status, text, headers } = await hub.deliver(connectionId, {
          eventType,
          objectType,
          externalId: String(1_001 + number % products),
          eventId: randomUUID()
        })
        if (status !== 202) throw new Error(`${status} ${text}`)
        deliveries.push(String(headers['x-linker-delivery-id']))
      }
      const trial = randomUUID()
      // The connection test before the move asks by the new version; it only reads.
      const servedBy = (version: string) =>
        hub.shop.requests.entries.filter(({ requestId, headers }) =>
          requestId !== trial && (headers['x-served-by'] === '0.2.0' ? next : released) === version
        )
      const servedOf = (version: string, after = 0) =>
        eventually(
          `requests of ${version}`,
          async () => servedBy(version).length >= after + servedByEach ? true : undefined,
          longestMs
        )
      let isOver = false
      const sending = (async () => {
        for (let number = 0; !isOver; number += 4) {
          await Promise.all([send(number), send(number + 1), send(number + 2), send(number + 3), sleep(100)])
        }
      })()
      sending.catch(() => undefined)
      await servedOf(released)
      const moved = await move(connectionId, { adapterVersion: '0.2.0' }, { 'x-request-id': trial })
      await servedOf(next)
      const back = await rollback(connectionId)
      await servedOf(released, servedBy(released).length)
      isOver = true
      await sending

      // An event that was just accepted may not be a job yet.
      const jobs = await Promise.all(deliveries.map(id =>
        eventually(`the end of job ${id}`, async () => {
          const { status, json } = await hub.call('GET', `/jobs/${id}?wait=20`)
          return status === 200 && (json as Job).finishedAt !== null ? json as Job : undefined
        }, 60_000)
      ))
      const [newOnes, oldOnes] = [servedBy(next), servedBy(released)].map(served =>
        served.map(({ at, durationMs = Infinity }) => ({ from: Date.parse(at), to: Date.parse(at) + durationMs }))
      ) as [Span[], Span[]]
      const [begin, end] = [Math.min(...newOnes.map(({ from }) => from)), Math.max(...newOnes.map(({ to }) => to))]
      // The log rounds starts down to a millisecond.
      const between = oldOnes.filter(({ from, to }) => to > begin + 1 && from + 1 < end)
      const failures = jobs.flatMap(({ attempts }) =>
        attempts.flatMap(({ error }) => error === undefined || error.code === 'LNK_CONNECTION_MOVING' ? [] : [error])
      )

      t.match([moved.json as Move, back.json as Move], [{ applied: true, to: { version: '0.2.0' } }, {
        applied: true,
        to: { version: '0.1.0' }
      }])
      t.strictSame(
        jobs.filter(({ status }) => status !== 'succeeded').map(({ id, status, problem }) => [id, status, problem]),
        []
      )
      t.strictSame(failures, [])
      t.strictSame([...new Set(jobs.map(({ adapter }) => adapter))].toSorted(), [released, next])
      t.ok(
        oldOnes.some(({ to }) => to <= begin + 1) && oldOnes.some(({ from }) => from + 1 >= end),
        `released, next and released again: ${oldOnes.length} and ${newOnes.length} requests for ${jobs.length} events`
      )
      t.strictSame(between, [], 'no request of the old version overlaps the time of the new one')
      t.notOk(await isMoving(connectionId))
      if (worker !== undefined) {
        t.ok(worker.log.every(line => !line.includes('"level":50')), 'the other process had no errors')
      }
    }
  )
}

for (const mode of availableModes(process.env).filter(mode => mode !== 'embedded').slice(0, 1)) {
  t.test(
    `${mode}: a process that dies while it waits for jobs leaves the connection as it was, and a mark that ` +
      'lapses',
    async t => {
      const hub = await buildTestHub(t, {
        mode,
        variables: { LINKER_ROLE: 'http' },
        install: directory => installShopaVersions(directory, ['0.2.0'])
      })
      const { move, rollback, start, end, isMoving, read } = createMover(hub)
      const connectionId = await hub.connect('shopa', { adapterVersion: '0.1.0', adapterKey: 'shopa.webservice.v1' })
      const dying = await startHubProcess(hub.directory, { ...hub.variables, LOG_LEVEL: 'warn' })
      t.teardown(() => dying.kill())
      // The shop holds its answer until the end, so the job runs for as long as the test looks.
      const held = Promise.withResolvers<void>()
      t.teardown(() => {
        held.resolve()
      })
      hub.shop.faults.add({ path: /products/, until: held.promise })
      const jobId = await start(connectionId, '27')
      await eventually(
        'the run',
        async () => ((await hub.call('GET', `/jobs/${jobId}`)).json as Job).status === 'running' ? true : undefined
      )
      const moving = createApi(dying.url, hub.keys.admin)('POST', `/connections/${connectionId}/adapter`, {
        body: { adapterVersion: '0.2.0', test: false }
      })
      moving.catch(() => undefined)
      await eventually('the mark', async () => await isMoving(connectionId) ? true : undefined)
      await dying.kill()
      const [left] = await hub.database().query<{ seconds: number }>(
        'select extract(epoch from lapses_at - now())::float as seconds from job_holds where group_id = $1',
        [connectionId]
      )

      t.match(await read(connectionId), { adapterVersion: '0.1.0', status: 'active' })
      t.equal((await rollback(connectionId)).status, 409, 'there is no snapshot')
      t.ok(left !== undefined && left.seconds > 0 && left.seconds <= 60, `the mark lapses in ${left?.seconds} s`)
      t.match((await move(connectionId, { adapterVersion: '0.2.0', test: false })).json, {
        code: 'LNK_CONNECTION_MOVING'
      })
      await hub.database().query('update job_holds set lapses_at = now() where group_id = $1', [connectionId])
      // The job of the dead process is claimed again when its heartbeat is missed.
      await hub.restart()
      t.match(
        await eventually('the end of the job', async () => {
          const job = await end(jobId)
          return job.finishedAt === null ? undefined : job
        }, 60_000),
        { status: 'succeeded', adapter: released }
      )
    }
  )
}
