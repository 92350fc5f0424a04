import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { availableModes, type Mode } from '../support/modes.ts'
import { findServers } from '../support/servers.ts'
import { killWhileSending } from './kill.ts'
import { changeStockUnderFaults, mustBeZero } from './stock.ts'

// `npm run chaos [-- kill|stock]`: both runs, or one of them. Prints what became of it and exits 1 when a count is not zero that must be.
//   kill  [--kills 20] [--events 500]                           kills the hub at random while webhooks are sent
//   stock [--kills 10] [--changes 500] [--variants 40] [--seed n]  changes stock while everything goes wrong, then compares shop and marketplace
// Both take [--mode embedded|postgres|full], more than once; default all that can run here.

function stop (message: string): never {
  console.error(message)
  process.exit(1)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string' }, events: { type: 'string', default: '500' }, changes: { type: 'string', default: '500' }, variants: { type: 'string', default: '40' },
    seed: { type: 'string' }, mode: { type: 'string', multiple: true }
  }
})
const runs = positionals.length === 0 ? ['kill', 'stock'] : positionals
const unknown = runs.filter(name => name !== 'kill' && name !== 'stock')
if (unknown.length > 0) stop(`unknown run '${unknown.join(' ')}'; there are: kill, stock`)
const number = (text: string): number => /^\d{1,9}$/.test(text) ? Number(text) : stop(`'${text}' is no whole number`)

const servers = await findServers(process.env)
const environment = { ...process.env, LINKER_TEST_DATABASE_URL: servers.databaseUrl, LINKER_TEST_REDIS_URL: servers.redisUrl }
const available = availableModes(environment)
const modes = (values.mode ?? available).map((mode): Mode => available.find(name => name === mode) ?? stop(`mode '${mode}' cannot run here; there is: ${available.join(', ')}`))

function report (run: string, counts: object): void {
  console.log(run.padEnd(16), Object.entries(counts).map(([name, count]) => `${name} ${count}`).join('  '))
}

let isBroken = false
for (const mode of runs.includes('kill') ? modes : []) {
  const events = number(values.events)
  const counts = await killWhileSending({ mode, environment, kills: number(values.kills ?? '20'), events })
  report(`kill ${mode}`, counts)
  isBroken ||= counts.lost > 0 || counts.publishedTwice > 0 || counts.ranTwice > 0 || counts.acknowledged !== events
}
for (const mode of runs.includes('stock') ? modes : []) {
  const seed = values.seed === undefined ? randomInt(1_000_000) : number(values.seed)
  const { counts, explanations } = await changeStockUnderFaults({ mode, environment, changes: number(values.changes), variants: number(values.variants), kills: number(values.kills ?? '10'), seed })
  report(`stock ${mode}`, { seed, ...counts })
  for (const line of explanations) console.log(line)
  isBroken ||= mustBeZero.some(name => counts[name] > 0)
}
process.exitCode = isBroken ? 1 : 0
