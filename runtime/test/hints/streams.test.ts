import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { createStreams } from '../../src/hints/streams.ts'

function openStreams () {
  let changes = 0
  let looks = 0
  const streams = createStreams({
    async see () {
      looks += 1
      return { changes: new Map([['jobs', String(changes)]]), attention: '' }
    }
  })
  return {
    ...streams,
    looks: () => looks,
    change () {
      changes += 1
    }
  }
}
const always = async (): Promise<boolean> => true

t.test('without a stream, the hub does not look', async t => {
  const streams = openStreams()
  await streams.look()

  t.equal(streams.looks(), 0)
})

t.test('a change is told on every stream, but not what changed before', async t => {
  const streams = openStreams()
  streams.change()
  const [first, second] = [streams.open(always), streams.open(always)]
  await streams.look()
  await streams.look()
  streams.change()
  await streams.look()
  await streams.beat()
  streams.end()

  const expected = 'retry: 5000\n\nevent: changed\ndata: {"kind":"jobs"}\n\n: beat\n\n'
  t.strictSame(await Promise.all([text(first), text(second)]), [expected, expected])
})

t.test('a stream ends at the next beat when its token is no good any more', async t => {
  const streams = openStreams()
  let mayGoOn = true
  const [ended, stays] = [streams.open(async () => mayGoOn), streams.open(always)]
  await streams.beat()
  mayGoOn = false
  await streams.beat()

  t.equal(await text(ended), 'retry: 5000\n\n: beat\n\n')
  t.notOk(stays.destroyed)
  streams.end()
})

t.test('there are at most 100 streams, and a closed one makes room', async t => {
  const streams = openStreams()
  const open = Array.from({ length: 100 }, () => streams.open(always))
  t.throws(() => streams.open(always), { code: 'LNK_EVENT_STREAMS_FULL', statusCode: 503 })

  open[0]?.destroy()
  if (open[0] !== undefined) await once(open[0], 'close')
  t.doesNotThrow(() => streams.open(always))
  streams.end()
})

t.test('a reader that takes nothing is dropped', async t => {
  const streams = openStreams()
  const stream = streams.open(always)
  for (let beats = 0; beats < 5_000; beats += 1) await streams.beat()

  t.ok(stream.destroyed)
})

t.test('a hub that stops opens no stream', async t => {
  const streams = openStreams()
  streams.end()

  t.throws(() => streams.open(always), { code: 'LNK_HUB_STOPPING', statusCode: 503 })
})
