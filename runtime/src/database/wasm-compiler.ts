import { totalmem } from 'node:os'
import { setFlagsFromString } from 'node:v8'

const gibibyte = 1024 ** 3
const enoughBytes = 2 * gibibyte

/** The default of V8 in Node 22.19 to 26, as `node --v8-options` shows it. */
export const usualBudget = 13_000_000
const largeBudget = 1_000_000_000

// A flag holds for the whole process. V8 takes the budget of a function when it instantiates the
// module, so the usual budget is set again afterwards.
const later = {
  before: [`--wasm-tiering-budget=${largeBudget}`],
  after: [`--wasm-tiering-budget=${usualBudget}`]
}
// These flags also hold for modules that are instantiated later: the parser of HTTP answers is
// small.
const never = { before: ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'], after: [] }

/**
 * Runs work that starts PGlite. V8 would optimise one function of PostgreSQL meanwhile, for which
 * it takes 600 MB and up to two seconds of processor time. With 2 GiB of memory or more it does so
 * in the first seconds after the start. With less it optimises no function: the database then takes
 * about half as much processor time again for a statement.
 */
export async function withLightCompiler<Result> (
  work: () => Promise<Result>,
  memoryBytes = memoryOfProcess()
): Promise<Result> {
  const { before, after } = memoryBytes < enoughBytes ? never : later
  for (const flag of before) setFlagsFromString(flag)
  try {
    return await work()
  } finally {
    for (const flag of after) setFlagsFromString(flag)
  }
}

/** The memory of the machine, or the part of it that a container may use. */
function memoryOfProcess (): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
