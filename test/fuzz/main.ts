import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { availableModes } from '../support/modes.ts'
import { findServers } from '../support/servers.ts'
import { fuzzApi } from './fuzz.ts'

// `npm run fuzz [-- --requests 20000 --seed n --parallel 8 --mode embedded|postgres|full]` sends
// random requests of all operations of `/openapi.json`. It exits 1 when an answer is not one that
// the description promises, or when an answer, the log, the database or Redis holds a secret.

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    parallel: { type: 'string', default: '8' },
    mode: { type: 'string', default: 'embedded' }
  }
})
const servers = await findServers(process.env)
process.env.LINKER_TEST_DATABASE_URL = servers.databaseUrl
process.env.LINKER_TEST_REDIS_URL = servers.redisUrl
const mode = availableModes(process.env).find(name => name === values.mode)
if (mode === undefined) throw new Error(`the mode '${values.mode}' cannot run here`)

const cleanups: (() => unknown)[] = []
try {
  console.log(`${values.requests} requests, ${mode}, seed ${values.seed}`)
  const { statuses, neverSucceeded, faults, leaks } = await fuzzApi({
    mode,
    requests: Number(values.requests),
    seed: Number(values.seed),
    parallel: Number(values.parallel),
    atEnd: cleanUp => cleanups.push(cleanUp)
  })
  console.log('answers by status:', statuses)
  console.log(`never succeeded: ${neverSucceeded.join(', ') || 'none'}`)
  for (const { operation, status, fault, count, request, answer } of faults) {
    console.log(`\n${count} × ${operation} → ${status}: ${fault}`)
    console.log(`  ${JSON.stringify(request).slice(0, 1_000)}\n  ${answer.slice(0, 500)}`)
  }
  console.log(`\n${faults.length} faults; secrets in: ${leaks.join(', ') || 'nothing that was stored or logged'}`)
  process.exitCode = faults.length === 0 && leaks.length === 0 ? 0 : 1
} finally {
  for (const cleanUp of cleanups.toReversed()) await cleanUp()
}
