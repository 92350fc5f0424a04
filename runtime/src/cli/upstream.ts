import { escapeUnprintable } from '@linker/sdk/host/text'
import { InvalidArgumentError, type Command } from 'commander'
import type { UpstreamView } from '../connections/upstream/schemas.ts'
import { print } from '../terminal/print.ts'
import { describeAuthor, describeRate } from '../upstream/describe.ts'
import type { AreaTraffic } from '../upstream/schemas.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'

interface ShowOptions extends HubOptions {
  json?: boolean
}

interface LimitOptions extends ShowOptions {
  rate: number
  burst: number
  reason?: string
}

/** `linker connections upstream show`, `limit`, `unlimit` and `reset`. */
export function addUpstream (connections: Command, withHub: (command: Command) => Command): void {
  const upstream = connections.command('upstream').description('how fast the hub may call the platform of a connection')

  /** Sends a command, or reads only, and prints what holds then. */
  async function run (
    [method, path]: ['GET' | 'PUT' | 'POST' | 'DELETE', string],
    connection: string,
    { json, ...options }: ShowOptions,
    body?: object
  ): Promise<void> {
    const hub = await createHubClient(process.env, process.cwd(), options)
    const id = await findConnection(hub, connection)
    const view = await hub.call(method, `/connections/${id}/upstream${path}`, body) as UpstreamView
    print(json === true ? JSON.stringify(view, null, 2) : describeUpstream(view))
  }

  const command = (name: string, description: string): Command =>
    withHub(upstream.command(name).description(description).argument(...connectionArgument)
      .option('--json', 'print JSON'))

  command('show', 'show how fast the hub may call the platform, and what slows it down')
    .action(async (connection: string, options: ShowOptions) => run(['GET', ''], connection, options))

  command('limit', 'set the budget of a connection, at most that of its adapter')
    .requiredOption('--rate <n>', 'requests per second in the long run; 0.5 is one in two seconds', parseNumber)
    .requiredOption('--burst <n>', 'requests that the hub may send at once after an idle time', parseNumber)
    .option('--reason <text>', 'reason, for colleagues')
    .action(async (connection: string, { rate, burst, reason, ...options }: LimitOptions) =>
      run(['PUT', '/budget'], connection, options, { ratePerSecond: rate, burst, reason })
    )

  command('unlimit', 'remove the budget that an operator set: that of the adapter holds again, if it declares one')
    .action(async (connection: string, options: ShowOptions) => run(['DELETE', '/budget'], connection, options))

  command('reset', 'close the circuit breaker, and forget what the hub learnt from answers of the platform')
    .action(async (connection: string, options: ShowOptions) => run(['POST', '/reset'], connection, options))
}

function parseNumber (text: string): number {
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError('give a number such as 5 or 0.5')
  return Number(text)
}

/** Says in plain words what holds now, and why. */
export function describeUpstream (view: UpstreamView): string {
  const { budget: { declared, own, learnt, effective }, breaker, areas } = view
  const lines: [string, string][] = [
    ['now', describeNow(view, effective === null ? 'without a limit' : 'within the limit')],
    ['limit', effective === null ? 'none: the hub sends as fast as the jobs need' : describeBudget(effective)],
    ['by the adapter', declared === null ? 'none' : describeBudget(declared)],
    ['by an operator', own === null ? 'none' : `${describeBudget(own)}, set by ${describeAuthor(own)}`],
    ['learnt', describeLearnt(learnt)],
    ['breaker', describeBreaker(breaker)],
    ...areas.map((area): [string, string] => [`area ${area.name}`, describeArea(area)])
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, value]) => `${name.padEnd(width)}  ${escapeUnprintable(value)}`).join('\n')
}

function describeArea ({ learnt, ...area }: AreaTraffic): string {
  return describeNow(area, learnt === null ? 'as to the whole platform' : `at most ${describeLearnt(learnt)}`)
}

function describeLearnt (learnt: AreaTraffic['learnt']): string {
  if (learnt === null) return 'none'
  return `${describeRate(learnt.ratePerSecond)}, because the platform answered 429 at ${learnt.throttledAt}`
}

function describeNow (
  { throttledUntil, rest, breaker }: Pick<AreaTraffic, 'throttledUntil' | 'rest' | 'breaker'>,
  otherwise: string
): string {
  if (breaker.state === 'open') return `the hub sends nothing until ${breaker.openUntil}, because the platform failed`
  if (throttledUntil !== null) {
    const why = rest?.isAway === true ? `the platform is away: ${rest.reason}` : 'the platform asked for it'
    return `the hub sends nothing until ${throttledUntil}, because ${why}`
  }
  if (breaker.state === 'probing' || rest !== null) return 'the next call finds out whether the platform works again'
  return `the hub sends ${otherwise}`
}

function describeBudget ({ ratePerSecond, burst }: NonNullable<UpstreamView['budget']['effective']>): string {
  return `${describeRate(ratePerSecond)}, at most ${burst} at once`
}

function describeBreaker ({ state, openedAt, openings, failure }: UpstreamView['breaker']): string {
  if (state === 'closed') return 'closed'
  const often = openings === 1 ? '' : `, opened ${openings} times`
  return `${state}, first opened at ${openedAt}${often}: ${failure}`
}
