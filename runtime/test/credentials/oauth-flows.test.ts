import { runRoute, type HostUnderTest, type RouteStep } from '@linker/sdk/testing'
import { createHash, randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { createFlowServices } from '../../src/credentials/oauth-flows.ts'
import { createSealing } from '../../src/credentials/sealing.ts'
import { removeExpiredFlows } from '../../src/credentials/store.ts'
import { openDriver } from '../adapters/services-driver.ts'
import { kinds, makePlace, openJobs, type Jobs, type Kind } from '../jobs/support.ts'

const credentialsKey = `test:${Buffer.alloc(32, 7).toString('base64')}`
const data = { verifier: 'the-verifier' }

const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex')

function openFlows ({ database }: Jobs, key: string | undefined = credentialsKey) {
  return createFlowServices({
    database,
    sealing: createSealing(key === '' ? {} : { credentialsKey: key }),
    platformType: 'probe'
  })
}

interface Row {
  platform: string
  data: unknown
  answer: unknown
  encrypted: boolean
  text: string
}

/** Returns the row of a flow in the table, and the whole row as text. */
async function rowOf ({ database }: Jobs, state: string): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    'select platform_type as platform, data, answer, encrypted, flows::text as text from flows where state_hash = $1',
    [hashOf(state)]
  )
  return row
}

const complete = (state: string, by: string): RouteStep => ({ do: 'complete', state, answer: { by } })

/**
 * Opens two processes on one database server. An embedded database allows only one process, which
 * then plays both parts.
 */
async function openTwo (t: Test, kind: Kind): Promise<{ first: Jobs, second: Jobs }> {
  const place = await makePlace(kind)
  const first = await openJobs(place)
  const second = kind === 'embedded' ? first : await openJobs(place)
  t.teardown(async () => {
    await Promise.all(kind === 'embedded' ? [first.close()] : [first.close(), second.close()])
    await place.remove()
  })
  return { first, second }
}

for (const kind of kinds(t)) {
  t.test(`flows on ${kind}`, async t => {
    const { first, second } = await openTwo(t, kind)
    const { query } = first.database

    t.test('when two processes complete a flow at the same time, one works on it and both have its answer', async t => {
      const processes: HostUnderTest[] = [openDriver(t, first, 'inline'), openDriver(t, second, 'worker')]
      const worked = (): number =>
        processes.flatMap(({ logs }) => logs).filter(({ message }) => message === 'worked').length

      for (let round = 1; round <= 10; round++) {
        const [state] = await runRoute(processes[round % 2] as HostUnderTest, [{ do: 'begin', data, ttlSeconds: 60 }])
        const answers = await Promise.all(processes.flatMap((process, index) =>
          [1, 2, 3].map(() =>
            runRoute(process, [complete(String(state), `${index}`)])
          )
        ))

        t.equal(new Set(answers.map(answer => JSON.stringify(answer))).size, 1)
        t.match(answers[0], [{ by: /^[01]$/ }])
        t.equal(worked(), round)
      }
    })

    t.test('a flow is a hash and data that only its own row opens; the data goes when work begins', async t => {
      const flows = openFlows(first)
      const [state, other] = [await flows.beginFlow(data, 60), await flows.beginFlow({ verifier: 'another' }, 60)]

      const begun = await rowOf(first, state)
      t.match(begun, { platform: 'probe', encrypted: true, answer: null })
      t.notMatch(begun?.text, state)
      t.notMatch(begun?.text, 'the-verifier')
      const taken = await flows.takeFlow(state, 5_000)
      t.match(taken, { kind: 'taken', data })
      t.match(await rowOf(first, state), { data: null, answer: null })

      const token = taken?.kind === 'taken' ? taken.token : ''
      await flows.endFlow(state, token, { answer: { id: 'the-answer' } })
      const ended = await rowOf(first, state)
      t.match(ended, { data: null, encrypted: true })
      t.notMatch(ended?.text, 'the-answer')
      t.strictSame(await openFlows(second).takeFlow(state, 5_000), { kind: 'answered', answer: { id: 'the-answer' } })

      await query('update flows set answer = (select data from flows where state_hash = $2) where state_hash = $1', [
        hashOf(state),
        hashOf(other)
      ])
      await t.rejects(flows.takeFlow(state, 5_000), 'another row is another context')
    })

    t.test('without a key a flow is stored in plain form, and a key that is set later does not lose it', async t => {
      const state = await openFlows(first, '').beginFlow(data, 60)
      t.match(await rowOf(first, state), { encrypted: false })

      t.match(await openFlows(first).takeFlow(state, 5_000), { kind: 'taken', data })
    })

    t.test('a process that dies at work holds the flow for its lease, and its work is not done again', async t => {
      const [flows, others] = [openFlows(first), openFlows(second)]
      const state = await flows.beginFlow(data, 60)
      await flows.takeFlow(state, 5_000)

      t.strictSame(await others.takeFlow(state, 5_000), { kind: 'busy' })
      await query("update flows set expires_at = expires_at - interval '5 seconds' where state_hash = $1", [
        hashOf(state)
      ])
      t.equal(await others.takeFlow(state, 5_000), undefined)
      t.equal(await others.takeFlow(state, 5_000), undefined)
    })

    t.test('only the process that took a flow can end it', async t => {
      const flows = openFlows(first)
      const state = await flows.beginFlow(data, 60)
      await flows.takeFlow(state, 5_000)

      await flows.endFlow(state, randomUUID(), { answer: 'stolen' })
      await flows.endFlow(state, randomUUID(), undefined)

      t.strictSame(await flows.takeFlow(state, 5_000), { kind: 'busy' })
    })

    t.test('work that fails leaves nothing, and expired flows are removed', async t => {
      await query('delete from flows')
      const flows = openFlows(first)
      const [failed, expired, alive] = await Promise.all([60, 60, 60].map(ttlSeconds =>
        flows.beginFlow(data, ttlSeconds)
      )) as [string, string, string]
      const taken = await flows.takeFlow(failed, 5_000)

      await flows.endFlow(failed, taken?.kind === 'taken' ? taken.token : '', undefined)
      t.equal(await rowOf(first, failed), undefined)
      t.equal(await flows.takeFlow(failed, 5_000), undefined)

      await query("update flows set expires_at = now() - interval '1 second' where state_hash = $1", [hashOf(expired)])
      t.equal(await removeExpiredFlows(query), 1)
      t.strictSame(await query('select state_hash as hash from flows'), [{ hash: hashOf(alive) }])
    })

    t.test('the label of created credentials stands in their reference', async t => {
      const driver = openDriver(t, first, 'inline')
      const credentials = { accessToken: 'a-token', refreshToken: 'refresh', expiresAt: '2100-01-01T00:00:00.000Z' }
      const create = (more: object): RouteStep => ({
        do: 'createConnection',
        connection: { name: 'labelled', config: {}, credentials, ...more },
        key: randomUUID()
      })

      const made = await runRoute(driver, [create({ credentialsLabel: 'sandbox' }), create({})]) as { id: string }[]

      const refs = await Promise.all(made.map(async ({ id }) => (await driver.connections.get(id)).credentialsRef))
      t.match(refs, [/^db:probe_sandbox_\d+_[0-9a-f-]{36}$/, /^db:probe_\d+_[0-9a-f-]{36}$/])
      t.match(await driver.connections.get(made[0]?.id ?? ''), {
        adapterKey: 'probe.api.v1',
        adapterVersion: '1.0.0',
        status: 'active'
      })
    })
  })
}
