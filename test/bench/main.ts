import { parseArgs } from 'node:util'
import { availableModes, type Mode } from '../support/modes.ts'
import { findServers } from '../support/servers.ts'
import { benchCarrier } from './carrier.ts'
import { benchDeadUpstream } from './dead-upstream.ts'
import { benchFairness } from './fairness.ts'
import { benchIngest } from './ingest.ts'
import { benchJobs } from './jobs.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchOrders } from './orders.ts'
import { benchStart } from './start.ts'
import { benchStockLatency } from './stock-latency.ts'
import { benchStock } from './stock.ts'
import { benchSweep } from './sweep.ts'

// Measures one benchmark and prints a table; it asserts nothing. `npm run bench -- <name>`:
//   ingest         [--seconds 5] [--runs 3] [--sockets 50] [--pipelining 1]
//   jobs           [--events 50000] [--runs 3]
//   carrier        [--calls 20000] [--runs 3]
//   stock          [--runs 3]
//   stock-latency  [--changes 300]
//   sweep          [--variants 100000]
//   orders         [--orders 300]
//   dead-upstream  [--events 20000]
//   fairness       [--events 50000] [--probes 100]
//   neighbours
//   start          [--runs 3]; measures the built packages: `npm run types` builds them
// All but `carrier` take [--mode embedded|postgres|full], also several times; the default is every
// mode that can run here.

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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '3' },
    calls: { type: 'string', default: '20000' },
    sockets: { type: 'string', default: '50' },
    pipelining: { type: 'string', default: '1' },
    changes: { type: 'string', default: '300' },
    orders: { type: 'string', default: '300' },
    events: { type: 'string' },
    probes: { type: 'string', default: '100' },
    variants: { type: 'string', default: '100000' }
  }
})
const [name = 'ingest', ...more] = positionals
const names = [
  'ingest',
  'jobs',
  'carrier',
  'stock',
  'stock-latency',
  'sweep',
  'orders',
  'dead-upstream',
  'fairness',
  'neighbours',
  'start'
]
if (more.length > 0 || !names.includes(name)) {
  stop(`unknown benchmark '${positionals.join(' ')}'; choose one of: ${names.join(', ')}`)
}
const numberOf = (option: Exclude<keyof typeof values, 'mode' | 'events'>): number => readNumber(option, values[option])
const [seconds, runs, sockets, pipelining] = [
  numberOf('seconds'),
  numberOf('runs'),
  numberOf('sockets'),
  numberOf('pipelining')
]
const [calls, changes, variants] = [numberOf('calls'), numberOf('changes'), numberOf('variants')]
const [orders, probes] = [numberOf('orders'), numberOf('probes')]
const events = readNumber('events', values.events ?? (name === 'dead-upstream' ? '20000' : '50000'))
if (name === 'carrier') {
  await benchCarrier({ calls, runs })
  process.exit(0)
}

const servers = await findServers(process.env)
const environment = {
  ...process.env,
  LINKER_TEST_DATABASE_URL: servers.databaseUrl,
  LINKER_TEST_REDIS_URL: servers.redisUrl
}
const available = availableModes(environment)
const wanted = values.mode ?? available
const modes = wanted.map((mode): Mode =>
  available.find(name => name === mode) ??
    stop(`mode '${mode}' cannot be measured here; choose one of: ${available.join(', ')}`)
)
if (name === 'stock-latency') await benchStockLatency({ modes, environment, changes })
else if (name === 'orders') await benchOrders({ modes, environment, orders })
else if (name === 'stock') await benchStock({ modes, environment, runs })
else if (name === 'jobs') await benchJobs({ modes, environment, events, runs })
else if (name === 'dead-upstream') await benchDeadUpstream({ modes, environment, events })
else if (name === 'fairness') await benchFairness({ modes, environment, events, probes })
else if (name === 'neighbours') await benchNeighbours({ modes, environment })
else if (name === 'start') await benchStart({ modes, environment, runs })
else if (name === 'sweep') await benchSweep({ modes, environment, variants })
else await benchIngest({ modes, environment, seconds, runs, sockets, pipelining })
