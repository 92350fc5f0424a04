import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'

const gibibyte = 1024 ** 3
const enoughBytes = 2 * gibibyte

// Flags are of the whole process. The budget of a function counts when its module is instantiated,
// so the one of V8 comes back afterwards.
const later = { before: ['--wasm-tiering-budget=1000000000'], after: ['--wasm-tiering-budget=13000000'] }
// Counts for modules that are instantiated later, too: the parser of HTTP answers is small.
const never = { before: ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'], after: [] }

/**
 * Runs work that starts PGlite. V8 would optimise one function of PostgreSQL in the first seconds,
 * for which it takes 600 MB and more than two seconds of processor time. With 2 GiB of memory or
 * more it does so later, after some thousand statements. With less it optimises no function: the
 * database then takes about half as much processor time again for a statement.
 */
export async function withLightCompiler<Result> (
  work: () => Promise<Result>,
  memoryBytes = memoryOfProcess()
): Promise<Result> {
  const { before, after } = memoryBytes < enoughBytes ? never : later
  before.forEach(flag => {
    setFlagsFromString(flag)
  })
  try {
    return await work()
  } finally {
    after.forEach(flag => {
      setFlagsFromString(flag)
    })
  }
}

/** The memory of the machine, or the part of it that a container may use. */
function memoryOfProcess (): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
