import { readFileSync } from 'node:fs'
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads'

// `--import` this file into a hub. The hub's clock is then ahead by the milliseconds in the file
// that LINKER_BENCH_CLOCK names, in every thread: the embedded database reads the clock of its
// thread. Intervals of a minute or more follow that clock, so the hub cleans after simulated hours.

const name = 'bench clock'
const followedMs = 60_000
const lookEveryMs = 100

const shared = isMainThread
  ? new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  : getEnvironmentData(name) as SharedArrayBuffer
const ahead = new BigInt64Array(shared)
const { now: realNow } = Date
const { setInterval: every } = globalThis
const now = (): number => realNow() + Number(Atomics.load(ahead, 0))

globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made) as Date
})
Date.prototype.constructor = Date
Date.now = now

if (isMainThread) {
  setEnvironmentData(name, shared)
  read()
  every(read, lookEveryMs).unref()
  globalThis.setInterval = Object.assign(follow, every)
}

function read (): void {
  const text = readFileSync(process.env.LINKER_BENCH_CLOCK ?? '', 'utf8')
  // The file is empty for a moment while it is written.
  if (text !== '') Atomics.store(ahead, 0, BigInt(text))
}

function follow<Values extends unknown[]> (
  work: (...values: Values) => void,
  delayMs = 0,
  ...values: Values
): NodeJS.Timeout {
  if (delayMs < followedMs) return every(work, delayMs, ...values)
  let dueMs = now() + delayMs
  return every(() => {
    if (now() < dueMs) return
    dueMs = now() + delayMs
    work(...values)
  }, lookEveryMs)
}
