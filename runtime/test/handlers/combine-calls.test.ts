import t from 'tap'
import { createCombinedCalls, jobOf, type RunCombined, type Wanted } from '../../src/handlers/combine-calls.ts'
import { fakeAdapter, fakeConnection, fakeOpened } from '../connections/support.ts'
import { runningJob } from './fake-adapter.ts'

interface Item extends Wanted {
  name: string
}

const adapter = fakeAdapter()
const connection = fakeConnection()

function item (name: string, { version = '1', of = connection, signal = new AbortController().signal } = {}): Item {
  const opened = fakeOpened(of, adapter)
  return {
    name,
    job: { ...runningJob('stock.sync', of.id, {}, name), signal },
    opened: { ...opened, snapshot: { ...opened.snapshot, version } }
  }
}

/** Combined calls that write down the names of each run. */
function open (run: RunCombined<Item, string> = async items => items.map(({ name }) => `${name}!`)) {
  const runs: string[][] = []
  return {
    runs,
    ...createCombinedCalls<Item, string>(3, async items => {
      runs.push(items.map(({ name }) => name))
      return run(items)
    })
  }
}

t.test('jobs that come while a call runs share the next call, each with its own result', async t => {
  const release = Promise.withResolvers<void>()
  const { add, runs } = open(async items => {
    await release.promise
    return items.map(({ name }) => `${name}!`)
  })
  const first = add(item('a'))
  while (runs.length === 0) await new Promise(setImmediate)
  const others = ['b', 'c', 'd', 'e'].map(name => add(item(name)))
  release.resolve()

  t.strictSame(await Promise.all([first, ...others]), ['a!', 'b!', 'c!', 'd!', 'e!'])
  t.strictSame(runs, [['a'], ['b', 'c', 'd'], ['e']], 'at most three at once')
})

t.test('a job that announced itself is waited for, and the last announcement ends the wait', async t => {
  const { expect, add, runs } = open()
  const [endFirst, endSecond] = [expect(connection.id), expect(connection.id)]
  const first = add(item('a'))
  const second = add(item('b'))
  endFirst()
  endFirst()
  endSecond()
  await Promise.all([first, second])

  t.strictSame(runs, [['a', 'b']])
})

t.test('a job that announced itself and never comes does not hold the others for long', async t => {
  const { expect, add } = open()
  expect(connection.id)

  t.equal(await add(item('a')), 'a!')
})

t.test('another connection, version of it or of its adapter is called by itself', async t => {
  const { add, runs } = open()
  await Promise.all([
    add(item('a')),
    add(item('b', { of: fakeConnection() })),
    add(item('c', { version: '2' })),
    add(item('d'))
  ])

  t.strictSame(runs.map(names => names.join()).toSorted(), ['a,d', 'b', 'c'])
})

t.test('a job that is aborted is left out: its value could undo a newer one', async t => {
  const lost = new Error('another worker has the job')
  const { add, runs } = open()
  const [kept, aborted] = [add(item('a')), add(item('b', { signal: AbortSignal.abort(lost) }))]

  t.equal(await kept, 'a!')
  await t.rejects(aborted, lost)
  t.strictSame(runs, [['a']])
  await t.rejects(add(item('c', { signal: AbortSignal.abort('a text') })), /a text/)
  t.equal(runs.length, 1, 'a call of no job is not made')
})

t.test('an error among the results concerns one job; a call that fails concerns all of its jobs', async t => {
  const partly = open(async items => items.map(({ name }) => name === 'b' ? new Error('no b') : name))
  const wholly = open(() => Promise.reject(new Error('away')))

  t.match(await Promise.allSettled([partly.add(item('a')), partly.add(item('b'))]), [{ value: 'a' }, {
    reason: { message: 'no b' }
  }])
  t.match(await Promise.allSettled([wholly.add(item('a')), wholly.add(item('b'))]), [
    { reason: { message: 'away' } },
    { reason: { message: 'away' } }
  ])
})

t.test('a call for several jobs goes on while one of them does', async t => {
  const [one, two] = [new AbortController(), new AbortController()]
  const { signal } = jobOf([item('a', { signal: one.signal }), item('b', { signal: two.signal })])
  one.abort(new Error('one'))
  t.equal(signal.aborted, false)
  two.abort(new Error('two'))

  t.equal(signal.aborted, true)
  t.equal(jobOf([item('a', { signal: AbortSignal.abort() })]).signal.aborted, true)
})

t.test('a call for several jobs tells each of them, and carries a request id only if they share it', async t => {
  const told: string[] = []
  const items = ['a', 'b'].map((name, index) => {
    const one = item(name)
    return {
      ...one,
      job: {
        ...one.job,
        requestId: 'r-1',
        deadline: 1_000 + index,
        servedBy (adapterName: string) {
          told.push(`${name} ${adapterName}`)
        },
        keep (connectionId: string) {
          told.push(`${name} ${connectionId}`)
        }
      }
    }
  })
  const job = jobOf(items)
  job.servedBy('feed.api.v1@1.0.0')
  job.keep('c', { cursors: {}, jobs: [] })

  t.strictSame(told, ['a feed.api.v1@1.0.0', 'b feed.api.v1@1.0.0', 'a c', 'b c'])
  t.strictSame([job.requestId, job.deadline], ['r-1', 1_001])
  t.equal(jobOf([...items, item('c')]).requestId, undefined)
  t.throws(() => jobOf([]), TypeError)
})

t.test('every job of a call shows its requests, unless the hub keeps none', async t => {
  const call = { at: '2026-01-01T00:00:00.000Z', method: 'GET', path: '/x', status: 200, ms: 1 }
  const noted: string[] = []
  const traced = (name: string): Item => {
    const wanted = item(name)
    return { ...wanted, job: { ...wanted.job, noteCall: ({ path }) => noted.push(`${name} ${path}`) } }
  }

  jobOf([traced('a'), traced('b')]).noteCall?.(call)

  t.strictSame(noted, ['a /x', 'b /x'])
  t.equal(jobOf([item('a'), item('b')]).noteCall, undefined)
})
