import t from 'tap'
import { v5 } from 'uuid'
import { exclusionKeyOf, jobIdOf } from '../../src/jobs/identity.ts'
import type { JobRequest, JobType, Lane } from '../../src/jobs/job.ts'

const uuidV5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const typeIn = (lane: Lane): JobType => ({ lane, objectKey: ({ payload }) => String(payload.object) })

function keyOf (lane: Lane, jobType: string, object: string): string {
  const request: JobRequest = { jobType, connectionId: null, payload: { object }, idempotencyKey: 'a' }
  return exclusionKeyOf(typeIn(lane), request)
}

t.test('the id of a job never changes: stored jobs and answers to repeats hold it', async t => {
  t.equal(jobIdOf('orders-poll:1'), '2aed9947-68c7-58cc-ab1d-2d8d5b98ac19')
  t.equal(jobIdOf('Zürich'), '8db62f84-ee39-566b-ac9b-e71bfd0ab9bc')
  t.not(jobIdOf('a'), jobIdOf('b'))
})

t.test('it is the name-based UUID that the library makes', async t => {
  for (let number = 0; number < 200; number += 1) {
    const key = `webhook:shopa:${number}:Zürich`
    t.equal(jobIdOf(key), v5(key, '6f0f3c1e-6c0e-5b43-9a55-6b1c1c6f2a11'))
  }
})

t.test('in the state lane each type has its own objects; commands of all types share them', async t => {
  t.not(keyOf('state', 'stock.sync', 'p'), keyOf('state', 'product.sync', 'p'))
  t.equal(keyOf('command', 'offer.create', 'p'), keyOf('command', 'offer.end', 'p'))
  t.not(keyOf('command', 'offer.create', 'p'), keyOf('command', 'offer.create', 'q'))
})

t.test('a key that PostgreSQL could not index or store becomes an id, and stays apart from others', async t => {
  const long = 'x'.repeat(600)

  t.equal(keyOf('command', 'offer.create', 'x'.repeat(500)), 'x'.repeat(500))
  t.ok(Buffer.byteLength(keyOf('command', 'offer.create', '京'.repeat(500))) <= 2_704)
  t.match(keyOf('command', 'offer.create', long), uuidV5)
  t.not(keyOf('command', 'offer.create', long), keyOf('command', 'offer.create', `${long}y`))
  t.match(keyOf('command', 'offer.create', 'a\0'), uuidV5)
  // As UTF-8, each half of a surrogate pair is the same replacement character.
  t.not(keyOf('command', 'offer.create', '\ud800'), keyOf('command', 'offer.create', '\ud801'))
})
