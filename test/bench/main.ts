import { parseArgs } from 'node:util'
import { refreshBundles } from '../support/bundle.ts'
import { availableModes, type Mode } from '../support/modes.ts'
import { findServers } from '../support/servers.ts'
import type { Bench } from './bench.ts'
import { carrier } from './lines/carrier.ts'
import { operatorConsole } from './lines/console.ts'
import { deadUpstream } from './lines/dead-upstream.ts'
import { fairness } from './lines/fairness.ts'
import { growth } from './lines/growth.ts'
import { ingest } from './lines/ingest.ts'
import { jobs } from './lines/jobs.ts'
import { neighbours } from './lines/neighbours.ts'
import { orders } from './lines/orders.ts'
import { overload } from './lines/overload.ts'
import { retention } from './lines/retention.ts'
import { scale } from './lines/scale.ts'
import { start } from './lines/start.ts'
import { stockLatency } from './lines/stock-latency.ts'
import { stock } from './lines/stock.ts'
import { sweep } from './lines/sweep.ts'

// `npm run bench` measures everything, which takes more than an hour. `npm run bench -- <name> …`
// measures some. Every benchmark takes `--runs 3` and `--mode embedded|postgres|full`, the latter
// several times; the default is every mode that can run here. `--help` shows the other options.
// Only runs of three or more write `test/bench/results/`.

const benches: readonly Bench[] = [
  start,
  ingest,
  jobs,
  stock,
  stockLatency,
  orders,
  sweep,
  overload,
  scale,
  growth,
  retention,
  deadUpstream,
  fairness,
  neighbours,
  carrier,
  operatorConsole
]

function stop (message: string): never {
  console.error(message)
  process.exit(1)
}

function readNumber (name: string, text: string): number {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000
    ? value
    : stop(`--${name} must be a whole number from 1 to 1000000, not '${text}'`)
}

function describeAll (): string {
  return benches.map(({ name, options }) =>
    `  ${name.padEnd(16)}${Object.entries(options).map(([option, value]) => `[--${option} ${value}]`).join(' ')}`
  ).join('\n')
}

function readCommand () {
  const names = new Set(benches.flatMap(({ options }) => Object.keys(options)))
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', default: false },
      mode: { type: 'string', multiple: true },
      runs: { type: 'string', default: '3' },
      ...Object.fromEntries([...names].map(name => [name, { type: 'string' as const }]))
    }
  })
  const { help, mode, runs, ...numbers } = values
  if (help) {
    console.log(`npm run bench -- [name …] [--runs 3] [--mode embedded|postgres|full]\n${describeAll()}`)
    process.exit(0)
  }
  const chosen = positionals.length === 0 ?
    benches :
    positionals.map(name =>
      benches.find(bench => bench.name === name) ??
        stop(`unknown benchmark '${name}'; choose some of:\n${describeAll()}`)
    )
  const options = Object
    .fromEntries(Object.entries(numbers as Record<string, string>).map(
      ([name, text]) => [name, readNumber(name, text)]
    ))
  const unknown = Object.keys(options).find(option => !chosen.some(bench => option in bench.options))
  if (unknown !== undefined) stop(`no chosen benchmark takes --${unknown}:\n${describeAll()}`)
  return { chosen, options, runs: readNumber('runs', runs), wanted: mode }
}

const { chosen, options, runs, wanted } = readCommand()
await refreshBundles()
const servers = await findServers(process.env)
const environment = {
  ...process.env,
  LINKER_TEST_DATABASE_URL: servers.databaseUrl,
  LINKER_TEST_REDIS_URL: servers.redisUrl
}
const available = availableModes(environment)
const modes = (wanted ?? available).map((mode): Mode =>
  available.find(name => name === mode) ??
    stop(`mode '${mode}' cannot be measured here; choose one of: ${available.join(', ')}`)
)
for (const { run } of chosen) await run({ modes, environment, runs, options })
process.exit()
