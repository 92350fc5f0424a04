import t from 'tap'
import { watchIntake } from '../../src/streams/intake.ts'
import type { InboundEvent, PublishResult, StreamPort } from '../../src/streams/port.ts'

const event = {} as InboundEvent

/** Streams that store when the test says so, and a clock that moves only while somebody waits. */
function openIntake () {
  const stored: (() => void)[] = []
  let nowMs = 1_000
  const whenStored = <Result>(result: Result): Promise<Result> =>
    new Promise(resolve => {
      stored.push(() => {
        resolve(result)
      })
    })
  const { streams, intake } = watchIntake({
    publishEvent: () => whenStored<PublishResult>('published'),
    publishEvents: events => whenStored(events.map((): PublishResult => 'published'))
  } as Partial<StreamPort> as StreamPort, {
    nowMs: () => nowMs,
    async wait (ms) {
      nowMs += ms
    }
  })
  return {
    publish: (count: number) => Promise.all(Array.from({ length: count }, () => streams.publishEvent(event))),
    publishList: (count: number) => streams.publishEvents(Array.from({ length: count }, () => event)),
    store () {
      for (const done of stored.splice(0)) done()
    },
    pass (ms: number) {
      nowMs += ms
    },
    isFull: intake.isFull,
    /** How long work gives way now. */
    async pause (): Promise<number> {
      const startedAt = nowMs
      await intake.giveWay()
      return nowMs - startedAt
    }
  }
}

t.test('work goes on at once while few webhooks wait to be stored', async t => {
  const intake = openIntake()
  t.equal(await intake.pause(), 0)

  const published = intake.publish(15)
  t.equal(await intake.pause(), 0)

  intake.store()
  t.strictSame(new Set(await published), new Set(['published']))
})

t.test('work goes on with a step in 250 ms while many wait', async t => {
  const intake = openIntake()
  const published = intake.publish(16)

  t.equal(await intake.pause(), 250)
  t.equal(await intake.pause(), 250)

  intake.store()
  await published
})

t.test('work gives way until few have waited for 50 ms: webhooks are stored in batches', async t => {
  const intake = openIntake()
  const published = intake.publish(16)
  intake.store()
  await published
  intake.pass(30)
  t.equal(await intake.pause(), 20)
  t.equal(await intake.pause(), 0)
})

t.test('a webhook that could not be stored waits no longer', async t => {
  const { streams, intake } = watchIntake(
    { publishEvent: () => Promise.reject(new Error('no')) } as Partial<StreamPort> as StreamPort,
    { nowMs: () => 0, wait: () => Promise.reject(new Error('it waited')) }
  )
  for (let count = 0; count < 20; count += 1) await t.rejects(streams.publishEvent(event), { message: 'no' })

  await intake.giveWay()
})

t.test('the intake is full while 1 000 wait', async t => {
  const intake = openIntake()
  const published = intake.publish(999)
  t.notOk(intake.isFull())

  const more = intake.publish(1)
  t.ok(intake.isFull())

  intake.store()
  await Promise.all([published, more])
  t.notOk(intake.isFull())
})

t.test('a list counts with each of its events', async t => {
  const intake = openIntake()
  const lists = [intake.publishList(15)]
  t.equal(await intake.pause(), 0)
  lists.push(intake.publishList(1))
  t.equal(await intake.pause(), 250)
  lists.push(intake.publishList(984))
  t.ok(intake.isFull())

  intake.store()
  await Promise.all(lists)
  t.notOk(intake.isFull())
})
