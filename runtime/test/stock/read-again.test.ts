import fc from 'fast-check'
import t from 'tap'
import { endOfWindow, readAgainJobs } from '../../src/stock/read-again.ts'

const connectionId = '123e4567-e89b-12d3-a456-426614174000'
const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()
const msAt = (second: number): number => Date.parse(at(second))
const event = { eventId: 'e1', externalId: '27', occurredAt: at(10), publishedAt: at(12) }
const jobsOf = (payload: Record<string, unknown>, readAtMs: number, windowMs: number | undefined = 60_000) =>
  readAgainJobs({ jobType: 'feed.stock.sync', connectionId, payload }, windowMs, readAtMs)

t.test('the object of a webhook is read again five seconds after the end of its window', async t => {
  t.match(jobsOf(event, msAt(13)), [{
    jobType: 'inventory.readAgain',
    payload: { jobType: 'feed.stock.sync', externalId: '27' },
    delayMs: 52_000
  }])
  t.equal(jobsOf(event, msAt(64)).length, 1)
})

t.test('all events of an object in one window have one reading, the next window has its own', async t => {
  const events = [
    event,
    { ...event, eventId: 'e2', occurredAt: at(50), publishedAt: at(51) },
    { ...event, occurredAt: at(61), publishedAt: at(61) },
    { ...event, externalId: '28' }
  ]
  const keys = events.map(payload => jobsOf(payload, msAt(13))[0]?.idempotencyKey)

  t.equal(keys[0], keys[1])
  t.equal(new Set(keys).size, 3)
})

t.test('no second reading follows a reading after the window, without a webhook, or without windows', async t => {
  t.strictSame(jobsOf(event, msAt(65)), [])
  t.strictSame(jobsOf({ externalId: '27' }, msAt(13)), [])
  t.strictSame(readAgainJobs({ jobType: 'feed.stock.sync', connectionId, payload: event }, undefined, msAt(13)), [])
})

t.test("a window ends after the event, at most one window after its arrival, whatever the sender's clock", async t => {
  const time = fc.integer({ min: 0, max: 10_000_000 })
  t.doesNotThrow(() =>
    fc.assert(fc.property(time, time, fc.integer({ min: 1, max: 100_000 }), (occurred, published, windowMs) => {
      const end = endOfWindow({
        occurredAt: new Date(occurred).toISOString(),
        publishedAt: new Date(published).toISOString()
      }, windowMs)
      return end <= published + windowMs && (occurred > published || (end > occurred && end <= occurred + windowMs))
    }))
  )
  t.equal(endOfWindow({ occurredAt: '2026-13-99T99:99', publishedAt: at(0) }, 60_000), msAt(60))
})
