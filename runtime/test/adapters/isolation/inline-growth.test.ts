import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { watchGrowth, type GrowthWatch } from '../../../src/adapters/isolation/inline-growth.ts'

const megabyte = 1024 * 1024
const limits = { everyMs: 20, calmBytes: 24 * megabyte, mostBytes: 24 * megabyte }
const longestMs = 120_000

interface Code {
  /** Allocates 2 MB in the heap or outside of it, and keeps them on request. */
  heap(isKept: boolean): void
  buffer(isKept: boolean): void
}

const source = `
const kept = []
export function heap (isKept) {
  const made = Array.from({ length: 250_000 }, Math.random)
  if (isKept) kept.push(made)
}
export function buffer (isKept) {
  const made = Buffer.alloc(2 * 1024 * 1024, 1)
  if (isKept) kept.push(made)
}
`

/** Makes two adapters in this thread, and a watch over them. */
async function setUp (t: Test): Promise<
  { watch: GrowthWatch, good: Code, bad: Code, lines: object[], isolated: string[] }
> {
  const directory = t.testdir({ good: { 'index.mjs': source }, bad: { 'index.mjs': source } })
  const folder = (name: string): string => pathToFileURL(`${directory}/${name}/`).href
  const lines: object[] = []
  const isolated: string[] = []
  const note = (fields: object): void => {
    lines.push(fields)
  }
  const watch = watchGrowth({
    limits,
    log: { warn: note, error: note },
    isolate (adapter) {
      isolated.push(adapter)
    }
  })
  t.teardown(() => {
    watch.close()
  })
  for (const name of ['good', 'bad']) watch.add(name, folder(name))
  const load = (name: string): Promise<Code> => import(`${folder(name)}index.mjs`) as Promise<Code>
  await wait(100)
  return { watch, good: await load('good'), bad: await load('bad'), lines, isolated }
}

async function until (isDone: () => boolean, work: () => void): Promise<void> {
  const startedAt = performance.now()
  while (!isDone() && performance.now() - startedAt < longestMs) {
    work()
    await wait(5)
  }
}

t.test('when two adapters work, the one that keeps the heap is named once and isolated', async t => {
  const { good, bad, lines, isolated } = await setUp(t)
  await until(() => isolated.length > 0, () => {
    for (let times = 0; times < 5; times += 1) good.heap(false)
    bad.heap(true)
  })

  t.strictSame(isolated, ['bad'])
  t.match(lines, [{ adapter: 'bad', heapBytes: Number }])
})

t.test('an adapter whose calls leave buffers behind is isolated, too', async t => {
  const { watch, good, bad, isolated } = await setUp(t)
  const call = (adapter: string, work: () => void): void => {
    const end = watch.begin(adapter)
    work()
    end()
  }
  await until(() => isolated.length > 0, () => {
    call('good', () => {
      good.heap(false)
    })
    call('bad', () => {
      bad.buffer(true)
    })
  })

  t.strictSame(isolated, ['bad'])
})

t.test('the watch blames no adapter that keeps nothing, however much it allocates', async t => {
  const { good, isolated } = await setUp(t)
  for (let turn = 0; turn < 300; turn += 1) {
    good.heap(false)
    await wait(2)
  }

  t.strictSame(isolated, [])
})
