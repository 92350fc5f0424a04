import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { CallOptions } from '../../src/adapters/adapters.ts'
import { askCapability, callCapability, callJob } from '../../src/handlers/call-adapter.ts'
import { awaitedPartOf } from '../../src/jobs/holds/awaited-part.ts'
import { fakeAdapter, fakeConnection, fakeOpened } from '../connections/support.ts'
import { runningJob } from './fake-adapter.ts'

const connection = fakeConnection({ capabilities: ['OfferManager'] })
const opened = fakeOpened(connection, fakeAdapter({ credentials: Type.Object({ key: Type.String() }) }))
const effects = { cursors: { feed: '1' }, jobs: [] }

/** Calls `OfferManager.endOffer`. */
async function end (answer: (options: CallOptions) => unknown) {
  const seen: unknown[] = []
  const job = {
    ...runningJob('marketplace.offer.end', connection.id),
    servedBy (adapter: string) {
      seen.push(adapter)
    },
    keep (...kept: unknown[]) {
      seen.push(kept)
    }
  }
  const services = {
    adapters: {
      async call (
        _adapter: unknown,
        _snapshot: unknown,
        target: unknown,
        args: readonly unknown[],
        options: CallOptions
      ) {
        seen.push(target, args)
        return answer(options)
      }
    }
  }
  await callCapability(services, job, opened, 'OfferManager', 'endOffer', 'offer-1')
  return seen
}

t.test('the job names the adapter before it is called, and keeps what the call wants stored', async t => {
  const seen = await end(({ keep }) => keep?.(effects, connection.id))

  t.strictSame(seen, [
    'feed.api.v1@1.0.0',
    { kind: 'capability', capability: 'OfferManager', method: 'endOffer' },
    ['offer-1'],
    [connection.id, effects, undefined]
  ])
})

t.test('the requests of a call go to the job', async t => {
  const noteCall = () => undefined
  const asked: unknown[] = []
  const services = {
    adapters: {
      async call (_adapter: unknown, _snapshot: unknown, _target: unknown, _args: unknown, { onRequest }: CallOptions) {
        asked.push(onRequest)
      }
    }
  }
  const job = runningJob('marketplace.offer.end', connection.id)
  await callCapability(services, { ...job, noteCall }, opened, 'OfferManager', 'endOffer', 'offer-1')
  await callCapability(services, job, opened, 'OfferManager', 'endOffer', 'offer-1')

  t.strictSame(asked, [noteCall, undefined])
})

t.test('a capability that the operator took away is not called', async t => {
  const refused = callCapability(
    {
      adapters: { call: () => Promise.reject(new Error('it was called')) }
    },
    runningJob('marketplace.offer.end', connection.id),
    opened,
    'OrderSource',
    'getOrder'
  )

  await t.rejects(refused, { code: 'LNK_CAPABILITY_NOT_SUPPORTED' })
})

t.test('what is paused is not called, and the error says which pause the job waits for', async t => {
  const pause = {
    reason: 'maintenance',
    until: '2026-10-03T12:00:00.000Z',
    since: '2026-10-03T10:00:00.000Z',
    by: { kind: 'hub' as const, name: 'hub', tokenId: null }
  }
  const adapter = fakeAdapter({
    described: { jobCapabilities: { 'feed.order.sync': ['OrderSource'], 'feed.stock.sync': ['OfferManager'] } }
  })
  const pausedAt = (capability: string | null) =>
    fakeOpened(
      fakeConnection({ capabilities: ['OfferManager', 'OrderSource'], pauses: [{ capability, ...pause }] }),
      adapter
    )
  const called = { called: true }
  const services = {
    adapters: { call: async () => called }
  }
  const outcomeOf = async (calling: Promise<unknown>) =>
    calling.catch((error: Error & { code: string }) => [error.code, awaitedPartOf(error)?.part])
  const callIt = (capability: string | null, name: string) => {
    const opened = pausedAt(capability)
    const job = runningJob(name, opened.connection.id)
    return outcomeOf(name.includes('.')
      ? callJob(services, job, opened)
      : callCapability(services, job, opened, name, 'method'))
  }

  t.strictSame(await callIt('OfferManager', 'OfferManager'), ['LNK_CAPABILITY_PAUSED', 'OfferManager'])
  t.strictSame(await callIt('OfferManager', 'OrderSource'), called)
  t.strictSame(await callIt(null, 'OrderSource'), ['LNK_CONNECTION_PAUSED', ''])
  t.strictSame(await callIt('OfferManager', 'feed.stock.sync'), ['LNK_CAPABILITY_PAUSED', 'OfferManager'])
  t.strictSame(await callIt('OfferManager', 'feed.order.sync'), called)
  t.strictSame(
    await callIt('OfferManager', 'feed.any.sync'),
    ['LNK_CAPABILITY_PAUSED', 'OfferManager'],
    'a job that does not say what it serves'
  )
  t.strictSame(await callIt(null, 'feed.order.sync'), ['LNK_CONNECTION_PAUSED', ''])
})

t.test('an answer comes with the credentials that the call used last', async t => {
  const ask = async (credentialsVersion?: string) =>
    askCapability(
      {
        adapters: {
          async call (_adapter, _snapshot, _target, _args, { onCredentials }) {
            if (credentialsVersion !== undefined) onCredentials?.(credentialsVersion)
            return 'ended'
          }
        }
      },
      runningJob('marketplace.offer.end', connection.id),
      opened,
      'OfferManager',
      'endOffer'
    )
  const { credentialsVersion } = opened.snapshot

  t.strictSame(await ask(), { value: 'ended', used: { connectionId: connection.id, credentialsVersion } })
  t.strictSame(await ask('db:renewed:2'), {
    value: 'ended',
    used: { connectionId: connection.id, credentialsVersion: 'db:renewed:2' }
  })
})
