import { parseArgs } from 'node:util'
import { availableModes, type Mode } from '../support/modes.ts'
import { findServers } from '../support/servers.ts'
import { killWhileSending } from './kill.ts'

// `npm run chaos -- [--kills 20] [--events 500] [--mode embedded]`: kills the hub at random while webhooks are sent, then counts what became of them.

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, events: { type: 'string', default: '500' }, mode: { type: 'string', multiple: true } } })
const servers = await findServers(process.env)
const environment = { ...process.env, LINKER_TEST_DATABASE_URL: servers.databaseUrl, LINKER_TEST_REDIS_URL: servers.redisUrl }
const modes = (values.mode ?? availableModes(environment)) as Mode[]
let hasLoss = false
for (const mode of modes) {
  const counts = await killWhileSending({ mode, environment, kills: Number(values.kills), events: Number(values.events) })
  console.log(mode.padEnd(9), Object.entries(counts).map(([name, count]) => `${name} ${count}`).join('  '))
  hasLoss ||= counts.lost > 0 || counts.publishedTwice > 0 || counts.ranTwice > 0 || counts.acknowledged !== Number(values.events)
}
process.exitCode = hasLoss ? 1 : 0
