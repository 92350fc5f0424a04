import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import type { ForeignPackage } from '../support/project.ts'

interface Call {
  at: string
  method: string
  path: string
  status: number | null
  ms: number
  error?: string
}

interface Traced extends Omit<Job, 'attempts'> {
  attempts: { calls?: Call[], callsLeftOut?: number, error?: { code: string, message: string } }[]
}

const name = '@acme/adapter-tracer-v1'
const jobType = 'tracer.requests.send'

/** Sends requests that have the key of its connection in their paths or queries. */
const tracer: ForeignPackage = {
  manifest: {
    name,
    version: '1.0.0',
    engines: { linker: '^0.1.0' },
    linker: {
      adapterKey: 'tracer.api.v1',
      platformType: 'tracer',
      displayName: 'Tracer',
      capabilities: [],
      permissions: { jobs: ['tracer.*'], http: ['${config.baseUrl}'] }
    }
  },
  source: `
    import { defineAdapter } from '@linker/sdk'
    export default defineAdapter({
      config: { type: 'object', properties: { baseUrl: { type: 'string' } } },
      credentials: { type: 'object', properties: { apiKey: { type: 'string', secret: true } } },
      connect: ({ http, config, credentials }) => ({
        apiKey: credentials.apiKey,
        http: http({ baseUrl: config.baseUrl, retries: 0 })
      }),
      account: async () => undefined,
      capabilities: {},
      jobs: {
        '${jobType}': {
          payload: { type: 'object' },
          async run ({ http, apiKey }, { payload: { paths } }) {
            for (const path of paths) {
              const query = path.startsWith('of/') ? {} : { ws_key: apiKey }
              await http.request({ method: 'GET', path: path.replace('KEY', encodeURIComponent(apiKey)), query })
            }
            return { result: paths.length }
          }
        }
      }
    })`
}

/**
 * A platform that answers, refuses, hangs or breaks off, as the path of the request says. `hanging`
 * resolves when a request hangs.
 */
async function startPlatform (t: Test): Promise<{ baseUrl: string, hanging: Promise<void> }> {
  const { promise: hanging, resolve: hang } = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    if (request.url?.includes('/hang')) return hang()
    if (request.url?.includes('/break')) request.socket.destroy()
    else response.writeHead(request.url?.includes('/refuse') ? 422 : 200).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hanging }
}

for (const mode of availableModes(process.env)) {
  for (const isolation of ['inline', 'worker'] as const) {
    t.test(`a job keeps its requests to the platform, ${mode}, ${isolation}`, async t => {
      const { baseUrl, hanging } = await startPlatform(t)
      const config = { adapters: [{ use: name, isolation }] }
      const hub = await buildTestHub(t, { mode, packages: [tracer], config })
      const connect = async (apiKey: string): Promise<string> => {
        const created = await hub.call('POST', '/connections', {
          body: { name: `Tracer ${apiKey}`, platformType: 'tracer', config: { baseUrl }, credentials: { apiKey } }
        })
        return (created.json as { id: string }).id
      }
      const keys = [`canary ${randomUUID()}`, `canary ${randomUUID()}`] as const
      const [connectionId, otherId] = [await connect(keys[0]), await connect(keys[1])]
      const start = async (paths: readonly string[], of = connectionId): Promise<string> => {
        const body = { jobType, connectionId: of, payload: { externalId: randomUUID(), paths } }
        return ((await hub.call('POST', '/jobs', { body })).json as { jobId: string }).jobId
      }
      const send = async (paths: readonly string[], of?: string): Promise<Traced> =>
        await hub.endOf(await start(paths, of)) as unknown as Traced
      const callsOf = ({ attempts }: Traced) => attempts[0]?.calls?.map(({ path, status }) => ({ path, status }))

      t.test('with method, path, status and time', async t => {
        const job = await send(['products/5', 'stock'])
        t.match(job, { status: 'succeeded', attempts: [{ calls: [{ method: 'GET' }, { method: 'GET' }] }] })
        t.strictSame(callsOf(job), [{ path: '/products/5', status: 200 }, { path: '/stock', status: 200 }])
        for (const { at, ms } of job.attempts[0]?.calls ?? []) {
          t.match(at, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
          t.ok(Number.isInteger(ms) && ms >= 0)
        }
      })

      t.test('the first and the last of many', async t => {
        const { attempts: [attempt] } = await send(Array.from({ length: 30 }, (_, index) => `p${index + 1}`))
        t.strictSame(
          attempt?.calls?.map(({ path }) => path),
          ['/p1', '/p2', '/p3', '/p4', '/p27', '/p28', '/p29', '/p30']
        )
        t.equal(attempt?.callsLeftOut, 22)
      })

      t.test('also when the job dies', async t => {
        const job = await send([...Array.from({ length: 24 }, (_, index) => `p${index + 1}`), 'refuse'])
        const [attempt] = job.attempts
        t.match(job, { status: 'dead', problem: { code: 'LNK_ADAPTER_REJECTED' } })
        t.equal(attempt?.calls?.length, 20)
        t.match(attempt?.calls?.at(-1), { path: '/refuse', status: 422 })
        t.equal(attempt?.callsLeftOut, 5)
      })

      t.test('with a code instead of a status when no answer came', async t => {
        const id = await start(['break'])
        const failed = await eventually('a failed attempt', async () => {
          const { json } = await hub.call('GET', `/jobs/${id}`)
          return (json as Traced).attempts.length > 0 ? json as Traced : undefined
        })
        await hub.call('POST', `/jobs/${id}/cancel`)

        t.match(failed.attempts[0]?.calls, [{ path: '/break', status: null, error: /^(UND_ERR_|ECONN)/ }])
      })

      t.test('also the one that a cancellation broke off', async t => {
        const id = await start(['before', 'hang'])
        await hanging
        await hub.call('POST', `/jobs/${id}/cancel`)
        const job = await hub.endOf(id) as unknown as Traced

        t.equal(job.status, 'cancelled')
        t.match(job.attempts[0]?.calls, [{ path: '/before', status: 200 }, {
          path: '/hang',
          status: null,
          error: 'ABORTED'
        }])
      })

      t.test('without the secrets of their own connection, though all share the way to the platform', async t => {
        const jobs = [
          await send(['of/KEY/first']),
          await send(['of/KEY/second'], otherId),
          await send(['of/KEY/third'])
        ]
        const said = JSON.stringify(jobs.map(({ attempts }) => attempts)) + hub.log.join('\n')
        const stored = await hub.database().query<{ text: string }>('select attempts::text as text from jobs')
        const text = said + stored.map(row => row.text).join('\n')

        t.strictSame(
          jobs.flatMap(job => callsOf(job)?.map(({ path }) => path)),
          ['/of/[redacted]/first', '/of/[redacted]/second', '/of/[redacted]/third']
        )
        for (const key of keys) {
          t.notOk(text.includes(key))
          t.notOk(text.includes(encodeURIComponent(key)))
        }
        t.notOk(text.includes('ws_key'), 'nor the query')
        t.notOk(JSON.stringify(jobs).includes(new URL(baseUrl).host), 'nor the host')
        const logged = hub.log.filter(line => line.includes('"upstream call"') && line.includes('second"'))
        t.match(logged.map(line => JSON.parse(line)), [{ connectionId: otherId, path: '/of/[redacted]/second' }])
      })

      t.test('only where one job is read', async t => {
        const { id } = await send(['listed'])
        const { json } = await hub.call('GET', `/jobs?limit=200&connectionId=${connectionId}`)
        const listed = (json as Traced[]).find(job => job.id === id)

        t.equal(listed?.attempts.length, 1)
        t.notOk(listed?.attempts[0]?.calls)
        t.match((await hub.call('GET', '/jobs?calls=true')).json, {
          code: 'LNK_REQUEST_INVALID',
          errors: [{ pointer: '/calls' }]
        })
      })

      t.test('or where the jobs of a request are listed with them', async t => {
        const { requestId, attempts } = await send(['of-request'])
        const { json } = await hub.call('GET', `/jobs?requestId=${requestId}&calls=true`)

        t.match(attempts, [{ calls: [{ path: '/of-request' }] }])
        t.strictSame((json as Traced[]).map(job => job.attempts), [attempts])
      })

      t.test('and linker jobs show prints them', async t => {
        const linker = (id: string, ...args: string[]) =>
          runLinker(['jobs', 'show', id, ...args, '--url', hub.url, '--token', hub.keys.admin], hub.directory)
        const { id } = await send([...Array.from({ length: 11 }, (_, index) => `p${index + 1}`), 'of/KEY'])
        const table = await linker(id)
        const json = await linker(id, '--json')
        const { id: quiet } = await send([])

        t.match(
          table.stdout,
          /\nATTEMPT +SENT +REQUEST +ANSWER +MS\n1 +\S+Z +GET \/p1 +200 +\d+\n/
        )
        t.match(table.stdout, /GET \/p4 .*\n1 +4 requests left out\n1 +\S+Z +GET \/p9 /)
        t.match(table.stdout, /GET \/of\/\[redacted\] +200/)
        t.match(JSON.parse(json.stdout), { attempts: [{ callsLeftOut: 4 }] })
        t.notMatch((await linker(quiet)).stdout, /REQUEST +ANSWER/)
      })

      t.test('as far as LINKER_TRACE says', async t => {
        await hub.restart({ config, variables: { LINKER_TRACE: 'failures' } })
        t.notOk((await send(['x'])).attempts[0]?.calls)
        t.match((await send(['refuse'])).attempts[0]?.calls, [{ path: '/refuse', status: 422 }])

        await hub.restart({ config, variables: { LINKER_TRACE: 'off' } })
        t.notOk((await send(['refuse'])).attempts[0]?.calls)
      })
    })
  }
}
