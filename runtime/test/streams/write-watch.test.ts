import t from 'tap'
import type { InboundEvent, PublishResult, StreamPort } from '../../src/streams/port.ts'
import { watchWrites } from '../../src/streams/write-watch.ts'

const event = {} as InboundEvent
const refusal = new Error("READONLY You can't write against a read only replica.")

/** Streams whose next write ends as the test says, and a clock that the test moves. */
function openWatch () {
  let nowMs = 1_000
  let touches = 0
  let warnings = 0
  let outcome: PublishResult | Error = 'published'
  const write = async (): Promise<PublishResult> => {
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  const { streams, renew } = watchWrites(
    {
      publishEvent: write,
      publishEvents: async (events: readonly InboundEvent[]) => Promise.all(events.map(write)),
      async touch () {
        touches += 1
        await write()
      },
      ping: async () => undefined
    } as Partial<StreamPort> as StreamPort,
    {
      warn () {
        warnings += 1
      }
    },
    () => nowMs
  )
  return {
    streams,
    /** One turn of the regular renewal, `ms` later. */
    async turn (ms: number) {
      nowMs += ms
      await renew()
    },
    endWith (next: PublishResult | Error) {
      outcome = next
    },
    touches: () => touches,
    warnings: () => warnings
  }
}

t.test('a ping fails as the last publication did, until one is stored', async t => {
  const { streams, endWith } = openWatch()
  await t.resolves(streams.ping())

  endWith(refusal)
  await t.rejects(streams.publishEvent(event), refusal)
  await t.rejects(streams.ping(), refusal)

  for (const result of ['duplicate', 'stale'] as const) {
    endWith(result)
    await streams.publishEvents([event])
    await t.rejects(streams.ping(), refusal, `${result}: the server wrote nothing`)
  }

  endWith('published')
  await streams.publishEvents([event])
  await t.resolves(streams.ping())
})

t.test('an event that the server refuses alone says nothing about the server', async t => {
  const { streams, endWith } = openWatch()
  endWith(new Error('WRONGTYPE Operation against a key holding the wrong kind of value'))
  await t.rejects(streams.publishEvent(event))

  await t.resolves(streams.ping())
})

t.test('one test write in ten seconds stands in for publications, and none beside them', async t => {
  const { streams, turn, touches } = openWatch()
  await turn(9_000)
  t.equal(touches(), 0)
  await turn(1_000)
  t.equal(touches(), 1)
  await turn(9_000)
  await streams.publishEvent(event)
  await turn(9_000)
  t.equal(touches(), 1)
  await turn(1_000)
  t.equal(touches(), 2)
})

t.test('a test write finds a server that refuses writes, and finds at once that it takes them again', async t => {
  const { streams, turn, endWith, warnings } = openWatch()
  endWith(refusal)
  await turn(10_000)
  await t.rejects(streams.ping(), refusal)

  await turn(1_000)
  t.equal(warnings(), 1, 'the log says it once')
  endWith('published')
  await turn(1_000)
  await t.resolves(streams.ping())
})
