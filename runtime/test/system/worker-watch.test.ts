import t from 'tap'
import { graceSeconds, watchWorkers } from '../../src/system/worker-watch.ts'

const query = async () => []

function openWatch () {
  let nowMs = 0
  const asked: number[] = []
  const watch = watchWorkers({
    now: () => new Date(nowMs),
    async read (_query, seconds) {
      asked.push(seconds)
      return { since: null }
    }
  })
  return {
    watch,
    asked,
    pass: (seconds: number) => {
      nowMs += seconds * 1_000
    }
  }
}

t.test('the database says it while the process tells that it lives', async t => {
  const { watch, asked, pass } = openWatch()
  for (let beat = 0; beat < 10; beat += 1) {
    watch.noteAlive()
    t.strictSame(await watch.read(query), { since: null })
    pass(15)
  }

  t.strictSame(asked, Array.from({ length: 10 }, () => graceSeconds))
})

t.test('after a time without the database, the others get a minute to tell that they live', async t => {
  const { watch, pass } = openWatch()
  watch.noteAlive()
  pass(300)
  watch.noteAlive()

  t.equal(await watch.read(query), undefined)
  pass(45)
  watch.noteAlive()
  t.equal(await watch.read(query), undefined)
  pass(15)
  t.strictSame(await watch.read(query), { since: null })
})
