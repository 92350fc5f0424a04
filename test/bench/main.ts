import { parseArgs } from 'node:util'
import { availableModes, type Mode } from '../support/modes.ts'
import { findServers } from '../support/servers.ts'
import { benchIngest } from './ingest.ts'

// `npm run bench -- ingest [--mode full] [--seconds 5] [--runs 3] [--sockets 50] [--pipelining 1]`: measures, prints a table, asserts nothing.

function stop (message: string): never {
  console.error(message)
  process.exit(1)
}

function readNumber (name: string, text: string): number {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= 1_000 ? value : stop(`--${name} must be a whole number from 1 to 1000, not '${text}'`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
    sockets: { type: 'string', default: '50' },
    pipelining: { type: 'string', default: '1' }
  }
})
if (positionals.length > 1 || (positionals[0] ?? 'ingest') !== 'ingest') stop(`unknown benchmark '${positionals.join(' ')}'; there is: ingest`)

const servers = await findServers(process.env)
const environment = { ...process.env, LINKER_TEST_DATABASE_URL: servers.databaseUrl, LINKER_TEST_REDIS_URL: servers.redisUrl }
const available = availableModes(environment)
const wanted = values.mode ?? available
const modes = wanted.map((mode): Mode => available.find(name => name === mode) ?? stop(`mode '${mode}' cannot be measured here; there is: ${available.join(', ')}`))
const [seconds, runs, sockets, pipelining] = (['seconds', 'runs', 'sockets', 'pipelining'] as const).map(name => readNumber(name, values[name]))
await benchIngest({ modes, environment, seconds: seconds ?? 5, runs: runs ?? 3, sockets: sockets ?? 50, pipelining: pipelining ?? 1 })
