import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { refreshBundles } from '../support/bundle.ts'
import { availableModes, type Mode } from '../support/modes.ts'
import { buildNewerHub } from '../support/newer-hub.ts'
import { findServers } from '../support/servers.ts'
import { killWhileSending } from './kill.ts'
import { failLinks, linkLimits, linksOf, type LinkCounts } from './links.ts'
import { restoreUnderLoad, transferUnderLoad, type MoveCounts, type MoveResult } from './moves.ts'
import { mustBeZeroOfMarket, mustBeZeroOfOrders, orderUnderFaults } from './orders.ts'
import { killStarts, startsOf } from './starts.ts'
import { mustBeZeroAtA } from './stock-at-a.ts'
import { changeStockUnderFaults, mustBeZero } from './stock.ts'
import { spellsOf } from './throttled-market.ts'
import { findBroken, sendToThrottled } from './throttled.ts'
import { mustBeZeroOfTrade, tradeUnderFaults } from './trade.ts'
import { upgradeWhileSending } from './upgrade.ts'

// `npm run chaos` makes all runs, `npm run chaos -- <run> …` the named ones. It prints counts and
// exits 1 when one exceeds its limit.
//
//   kill    [--kills 20] [--events 500]
//           kills the hub at random while webhooks are sent
//   stock   [--kills 10] [--changes 500] [--variants 40] [--seed n]
//           changes stock under faults and kills, then compares shop and marketplace
//   orders  [--kills 10] [--orders 1000] [--variants 40] [--seed n]
//           places orders under faults and kills, then compares marketplace, hub and shop
//   trade   [--minutes 20] [--seed n]
//           lets a shop and two marketplaces trade for so many minutes as people and platforms
//           really do: cash on delivery, euros, changed orders, refused quantities, maintenance.
//           Then compares what shop, hub and marketplaces say of each order and offer: nothing may
//           differ silently, and nothing may be reported that does not differ
//   links   makes connections to PostgreSQL and Redis go silent or answer wrong bytes, lets
//           Redis fail over (by REPLICAOF, and by three Sentinels), kills a pooler (PgBouncer)
//           before PostgreSQL, and measures how long senders and API clients wait and readiness
//           is red
//   throttled  [--jobs 5000] [--minutes 10]
//           lets a marketplace answer 429 and 500, or not at all, for so many minutes, while jobs
//           wait for it. The marketplace's own log must keep the budget; after the minutes, the run
//           goes on until all jobs have succeeded
//   upgrade  [--events 500]
//           lets a hub of a newer version join while webhooks are sent, stops the older one, and
//           starts it once more, which must fail; with PostgreSQL only
//   starts  [--points 200]
//           kills the first start and an upgrade at so many points, each with a state of its own,
//           and starts the hub again
//   restore [--orders 1000] [--variants 40] [--seed n]
//           backs the hub up while orders come in, kills it when the shop has half of them, and
//           restores the backup into an empty state of the next mode
//   transfer  [--orders 1000] [--variants 40] [--seed n]
//           moves an embedded hub with open jobs to PostgreSQL while orders come in
//
// `stock`, `orders`, `restore` and `transfer` take [--markets b|a,b]: the variants are on sale at
// marketplace B (default) or at both; the counts of each marketplace have their own line. All runs
// take [--mode embedded|postgres|full], also several times; the default is every mode that can run
// here.

function stop (message: string): never {
  console.error(message)
  process.exit(1)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string' },
    events: { type: 'string', default: '500' },
    changes: { type: 'string', default: '500' },
    orders: { type: 'string', default: '1000' },
    variants: { type: 'string', default: '40' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: '5000' },
    points: { type: 'string', default: '200' },
    minutes: { type: 'string' },
    markets: { type: 'string', default: 'b' },
    mode: { type: 'string', multiple: true }
  }
})
const names = ['kill', 'stock', 'orders', 'trade', 'links', 'throttled', 'upgrade', 'starts', 'restore', 'transfer']
const runs = positionals.length === 0 ? names : positionals
const unknown = runs.filter(name => !names.includes(name))
if (unknown.length > 0) stop(`unknown run '${unknown.join(' ')}'; choose from: ${names.join(', ')}`)
const markets = (['b', 'a,b'] as const).find(name => name === values.markets) ??
  stop(`--markets must be 'b' or 'a,b', not '${values.markets}'`)
const wholeNumber = (text: string): number =>
  /^\d{1,9}$/.test(text) ? Number(text) : stop(`'${text}' is not a whole number`)

await refreshBundles()
const servers = await findServers(process.env)
const environment = {
  ...process.env,
  LINKER_TEST_DATABASE_URL: servers.databaseUrl,
  LINKER_TEST_REDIS_URL: servers.redisUrl
}
const available = availableModes(environment)
const modes = (values.mode ?? available).map((mode): Mode =>
  available.find(name => name === mode) ?? stop(`mode '${mode}' cannot run here; choose from: ${available.join(', ')}`)
)

function report (run: string, counts: object): void {
  console.log(run.padEnd(16), Object.entries(counts).map(([name, count]) => `${name} ${count}`).join('  '))
}

let isBroken = false
for (const mode of runs.includes('kill') ? modes : []) {
  const events = wholeNumber(values.events)
  const counts = await killWhileSending({
    mode,
    environment,
    kills: wholeNumber(values.kills ?? '20'),
    events
  })
  report(`kill ${mode}`, counts)
  const isOnce = counts.publishedTwice === 0 && counts.ranTwice === 0
  const isComplete = counts.lost === 0 && counts.acknowledged === events
  isBroken ||= !isOnce || !isComplete
}
for (const mode of runs.includes('stock') ? modes : []) {
  const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber(values.seed)
  const { counts, atA, explanations } = await changeStockUnderFaults({
    mode,
    markets,
    environment,
    changes: wholeNumber(values.changes),
    variants: wholeNumber(values.variants),
    kills: wholeNumber(values.kills ?? '10'),
    seed
  })
  report(`stock ${mode}`, { seed, ...counts })
  if (atA !== undefined) report(`stock ${mode} A`, atA)
  for (const line of explanations) console.log(line)
  isBroken ||= mustBeZero.some(name => counts[name] > 0) ||
    (atA !== undefined && mustBeZeroAtA.some(name => atA[name] > 0))
}
for (const mode of runs.includes('orders') ? modes : []) {
  const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber(values.seed)
  const { counts, markets: judged, explanations } = await orderUnderFaults({
    mode,
    markets,
    environment,
    orders: wholeNumber(values.orders),
    variants: wholeNumber(values.variants),
    kills: wholeNumber(values.kills ?? '10'),
    seed
  })
  report(`orders ${mode}`, { seed, ...counts })
  for (const { name, counts: atMarket } of judged) report(`orders ${mode} ${name}`, atMarket)
  for (const line of explanations) console.log(line)
  isBroken ||= mustBeZeroOfOrders.some(name => counts[name] > 0) ||
    judged.some(({ counts: atMarket }) => mustBeZeroOfMarket.some(name => atMarket[name] > 0))
}
for (const mode of runs.includes('trade') ? modes : []) {
  const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber(values.seed)
  const { counts, explanations } = await tradeUnderFaults({
    mode,
    environment,
    minutes: wholeNumber(values.minutes ?? '20'),
    seed
  })
  report(`trade ${mode}`, { seed, ...counts })
  for (const line of explanations) console.log(line)
  isBroken ||= mustBeZeroOfTrade.some(name => counts[name] > 0)
}
for (const mode of runs.includes('links') ? modes : []) {
  for (const failing of linksOf(mode)) {
    const counts = await failLinks({ mode, environment, failing })
    report(`links ${mode}`, { servers: failing.servers.join('+'), fault: failing.fault, ...counts })
    isBroken ||= Object.entries(linkLimits).some(([name, limit]) =>
      (counts[name as keyof LinkCounts] ?? Number.POSITIVE_INFINITY) > limit
    )
  }
}
for (const mode of runs.includes('throttled') ? modes : []) {
  const { counts, explanations } = await sendToThrottled({
    mode,
    environment,
    jobs: wholeNumber(values.jobs),
    sending: { budget: { ratePerSecond: 20, burst: 20 }, timeoutMs: 2_000 },
    spells: spellsOf(wholeNumber(values.minutes ?? '10'))
  })
  report(`throttled ${mode}`, counts)
  for (const line of explanations) console.log(line)
  isBroken ||= findBroken(counts).length > 0
}
const newer = runs.includes('upgrade') || runs.includes('starts') ? await buildNewerHub() : undefined
for (const mode of runs.includes('upgrade') ? modes : []) {
  if (newer === undefined || mode === 'embedded') continue
  const { refusal, besideEachOther, ...counts } = await upgradeWhileSending({
    mode,
    environment,
    newer,
    eventsOfEachPart: wholeNumber(values.events)
  })
  report(`upgrade ${mode}`, { ...counts, ...besideEachOther, refusal: refusal.code ?? 'signal' })
  isBroken ||= Object.values(counts).some(count => count > 0) || refusal.code !== 1
}
for (const mode of runs.includes('starts') ? modes : []) {
  for (const start of startsOf(mode)) {
    if (newer === undefined) continue
    const { counts, failures } = await killStarts({
      mode,
      environment,
      start,
      newer: newer.command,
      points: wholeNumber(values.points)
    })
    report(`starts ${mode}`, { start, ...counts })
    for (const line of failures) console.log(line)
    isBroken ||= counts.failed > 0 || counts.drafts > 0
  }
}
await newer?.remove()

function reportMove (run: string, { counts, markets: judged, explanations }: MoveResult<MoveCounts>): boolean {
  report(run, counts)
  for (const { name, counts: atMarket } of judged) report(`${run} ${name}`, atMarket)
  for (const line of explanations) console.log(line)
  return mustBeZeroOfOrders.some(name => counts[name] > 0) ||
    judged.some(({ counts: atMarket }) => mustBeZeroOfMarket.some(name => atMarket[name] > 0))
}

const seedOf = (): number => values.seed === undefined ? randomInt(1_000_000) : wholeNumber(values.seed)
const load = { markets, environment, orders: wholeNumber(values.orders), variants: wholeNumber(values.variants) }
for (const mode of runs.includes('restore') ? modes : []) {
  const target = available[(available.indexOf(mode) + 1) % available.length] ?? mode
  const result = await restoreUnderLoad({ ...load, mode, target, seed: seedOf() })
  isBroken = reportMove(`restore ${mode} → ${target}`, result) || isBroken
}
for (const target of runs.includes('transfer') ? modes : []) {
  if (target === 'embedded') continue
  isBroken = reportMove(`transfer → ${target}`, await transferUnderLoad({ ...load, target, seed: seedOf() })) ||
    isBroken
}
process.exitCode = isBroken ? 1 : 0
