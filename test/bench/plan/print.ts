import type { Measured } from './measured.ts'
import { show, showExactly } from './numbers.ts'
import { assumptions, load, type OptionName, type Options } from './options.ts'
import { bottlenecksOf, reachedAt, unitsOf, type Plan, type Resource } from './resources.ts'

const indent = '  '

export function describePlan (options: Options, measured: Measured, plan: Plan): string {
  return [
    `Mode ${options.mode}. Measured: ${measured.origins.join('; ')}`,
    '',
    'The wanted load',
    ...describeOptions(options, load),
    '',
    'What follows from it',
    ...describeRates(plan),
    '',
    ...describeResources(options, plan),
    `Memory of all processes, each with resident + residentGrowth: ${show(plan.memoryGib)} GiB`,
    '',
    ...describeBottlenecks(options, plan),
    '',
    ...describeRedis(options, plan),
    'How the demand is computed',
    ...plan.resources.map(({ name, formula }) => `${indent}${name}: ${formula}`),
    '',
    'Measured',
    ...describeMeasured(measured),
    '',
    'Assumed: change any of them with its option',
    ...describeOptions(options, assumptions),
    ...plan.warnings.map(warning => `\n${warning}`)
  ].join('\n')
}

function describeOptions (options: Options, chosen: Readonly<Record<string, { meaning: string }>>): string[] {
  return Object.entries(chosen).map(([name, { meaning }]) => {
    const value = showExactly(options[name as OptionName])
    return `${indent}--${name.padEnd(24)}${value.padStart(13)}  ${meaning}`
  })
}

function describeRates ({ rates }: Plan): string[] {
  const lines: readonly (readonly [string, number])[] = [
    ['changes of a quantity/s', rates.stockEvents],
    ['written offers/s', rates.writes],
    ['scheduled jobs/s', rates.scheduled],
    ['jobs/s of all kinds', rates.jobs],
    ['swept variants/s', rates.sweptVariants],
    ['kept jobs', rates.keptJobs],
    ['events whose markers or messages are kept', rates.keptEvents]
  ]
  return lines.map(([name, value]) => `${indent}${name.padEnd(42)}${show(value).padStart(13)}`)
}

function describeResources (options: Options, plan: Plan): string[] {
  const heading = ['resource', 'demand', 'one gives', 'needed', 'at most', 'used up at']
  const rows = plan.resources.map(resource => {
    const { name, unit, demand, each, provider, most } = resource
    return [
      name,
      `${show(demand)} ${unit}`,
      `${show(each)} of a ${provider}`,
      String(unitsOf(resource)),
      most === undefined ? '' : String(most),
      most === undefined ? '' : describeEnd(options, resource)
    ]
  })
  const widths = heading.map((_, column) => Math.max(...[heading, ...rows].map(row => row[column]?.length ?? 0)))
  return [heading, ...rows].map(row =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(indent).trimEnd()
  )
}

function describeEnd (options: Options, resource: Resource): string {
  const share = reachedAt(resource)
  return `${show(100 * share)} % = ${show(share * options['events-per-second'])} events/s`
}

function describeBottlenecks (options: Options, plan: Plan): string[] {
  return bottlenecksOf(plan).filter((resource, index) => index === 0 || reachedAt(resource) < 1).flatMap((
    resource,
    index
  ) => [
    `${index === 0 ? 'First bottleneck' : 'Then'}: ${resource.name}, at ${describeEnd(options, resource)}`,
    `${indent}what moves it: ${resource.knob}`,
    `${indent}what that costs: ${resource.cost}`
  ])
}

const severalRedis = `The hub cannot use several Redis yet: REDIS_URL names one server, and a Redis Cluster is refused.
A hash of the connection id could choose among several. The two streams keep their names on each
of them. An event, its marker, the version of its connection and its job belong to one connection,
so each script still runs on one server. Every process would read the streams of all servers.
Not before one server is full: each further server can fail by itself, and a change of their number
moves connections, whose events must be handled and whose markers must be copied first.`

function describeRedis ({ mode }: Options, { redisServers }: Plan): string[] {
  if (mode !== 'full') return []
  return redisServers <= 1
    ? ['One Redis is enough.', '']
    : [`This load needs ${redisServers} Redis servers.`, severalRedis, '']
}

function describeMeasured ({ figures, growth }: Measured): string[] {
  const named = Object.entries(figures).map(([name, { value, source }]) => ({ name, value, source }))
  const grown = growth.flatMap(({ kind, count, hub, database }) => [
    { name: `growth, ${show(count)} ${kind}`, ...hub },
    ...(database === undefined ? [] : [{ name: `growth, ${show(count)} ${kind}`, ...database }])
  ])
  return [...named, ...grown].map(({ name, value, source }) =>
    `${indent}${name.padEnd(32)}${showMeasured(value).padStart(13)}  ${source}`
  )
}

const showMeasured = (value: number): string => showExactly(Number(value.toPrecision(4)))
