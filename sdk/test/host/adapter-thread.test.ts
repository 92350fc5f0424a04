import { once } from 'node:events'
import t from 'tap'
import { startAdapterThread, type AdapterThread, type ThreadEnd } from '../../src/host/adapter-thread.ts'

function start (code: string): AdapterThread {
  const thread = startAdapterThread({
    entry: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    data: 5,
    name: 'a'
  })
  thread.hold(true)
  return thread
}

function endOf (thread: AdapterThread): Promise<ThreadEnd> {
  return new Promise(resolve => {
    thread.onEnd(resolve)
  })
}

t.test('a thread sees its data and nothing of the environment of the process', async t => {
  const thread = start(`
    import { parentPort, workerData } from 'node:worker_threads'
    const names = Object.keys(process.env).filter(name => name !== 'NODE_COMPILE_CACHE')
    parentPort.postMessage({ workerData, names })`)
  t.teardown(() => thread.end('closed'))

  const [message] = await once(thread.worker, 'message')
  t.strictSame(message, { workerData: 5, names: [] })
})

t.test('the reason for the end of a thread is known afterwards', async t => {
  const ended: [code: string, end: object][] = [
    ['process.exit(3)', { kind: 'exit', code: 3 }],
    ["throw new Error('left')", { kind: 'error', error: { message: 'left' } }],
    ['const kept = []; for (;;) kept.push(new Array(10_000).fill(kept.length))', { kind: 'memory' }]
  ]
  for (const [code, end] of ended) {
    const thread = start(code)
    t.match(await endOf(thread), end)
    t.match(thread.endedWith(), end)
  }

  const hung = start('for (;;);')
  t.equal(hung.endedWith(), undefined)
  await hung.end('hung')
  t.strictSame(hung.endedWith(), { kind: 'hung' })
})

t.test('the output of a thread does not reach the terminal, its host may read it', async t => {
  const thread = start("console.log('printed'); setInterval(() => undefined, 1_000)")
  t.teardown(() => thread.end('closed'))

  const [printed] = await once(thread.worker.stdout, 'data')
  t.equal(String(printed), 'printed\n')
})
