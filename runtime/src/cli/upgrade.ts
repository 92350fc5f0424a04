import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import semver from 'semver'
import { newerMajorKeys } from '../adapters/adapter-keys.ts'
import type { AdapterView } from '../adapters/view.ts'
import type { Move } from '../connections/moves/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { describeChanges, nameOf, needsConfirmation } from './move.ts'

interface Reason {
  pointer: string
  code: string
  message: string
}

/** The changes of one move. */
interface Step {
  to: string | null
  outcome:
    | 'up to date'
    | 'up to date with what is loaded'
    | 'newer than the newest stable version'
    | 'can be moved'
    | 'cannot be moved'
  changes: Move['changes'] | null
  warnings: Move['warnings']
  reasons: Reason[]
}

/**
 * The changes when one connection moves to the newest stable version of its key, and to each newer
 * major, which has another key.
 */
interface Plan extends Step {
  id: string
  name: string
  from: string
  majors: Step[]
}

export function addUpgrade (program: Command): void {
  withHub(program.command('upgrade')
    .description('show what would change if each connection moved to the newest loaded version of its adapter, ' +
      'or to a newer major')
    .requiredOption('--plan', 'change nothing; `linker connections move` moves a connection')
    .option('--json', 'print JSON'))
    .action(async (options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const connections = await hub.list('/connections') as ConnectionView[]
      const adapters = await hub.call('GET', '/adapters') as AdapterView[]
      const plans: Plan[] = []
      const progress = createProgress(process.stderr)
      for (const [index, connection] of connections.entries()) {
        progress(`planning '${connection.name}', ${index + 1} of ${connections.length}`)
        plans.push(await planUpgrade(hub, connection, adapters))
      }
      print(options.json === true ? JSON.stringify(plans, null, 2) : describePlans(plans))
    })
}

async function planUpgrade (
  hub: HubClient,
  { id, name, adapterKey, adapterVersion }: ConnectionView,
  adapters: readonly AdapterView[]
): Promise<Plan> {
  const { from = `${adapterKey}@${adapterVersion ?? 'latest'}`, ...step } = await planMove(hub, id, {})
  const majors: Step[] = []
  for (const key of newerMajorsOf(adapterKey, adapters)) {
    const { from: _same, ...major } = await planMove(hub, id, { adapterKey: key })
    majors.push({ ...major, to: major.to ?? key })
  }
  return { id, name, from, ...step, majors }
}

function newerMajorsOf (adapterKey: string, adapters: readonly AdapterView[]): string[] {
  const serving = adapters.flatMap(({ adapterKey: key, supportedCapabilities, isolation }) =>
    key === null || (isolation === null && supportedCapabilities.length === 0) ? [] : [key]
  )
  return newerMajorKeys(adapterKey, [...new Set(serving)])
}

/**
 * Plans a move without the connection test: a plan for all connections must not call their
 * platforms.
 */
async function planMove (
  hub: HubClient,
  id: string,
  destination: { adapterKey?: string }
): Promise<Step & { from?: string }> {
  try {
    const move = await hub.call('POST', `/connections/${id}/adapter`, {
      ...destination,
      adapterVersion: 'latest',
      dryRun: true,
      test: false
    }) as Move
    const plan = { from: nameOf(move.from), to: nameOf(move.to), changes: null, warnings: [], reasons: [] }
    const step = move.from.version === null || move.to.version === null
      ? 1
      : semver.compare(move.to.version, move.from.version)
    if (destination.adapterKey === undefined && step === 0) {
      const warnings = move.warnings.filter(({ code }) => code === 'not-loaded')
      return { ...plan, outcome: warnings.length === 0 ? 'up to date' : 'up to date with what is loaded', warnings }
    }
    if (destination.adapterKey === undefined && step < 0) {
      return { ...plan, outcome: 'newer than the newest stable version' }
    }
    // Newer majors are planned on their own.
    return {
      ...plan,
      outcome: 'can be moved',
      changes: move.changes,
      warnings: move.warnings.filter(({ code }) => code !== 'newer-major')
    }
  } catch (error) {
    if (!(error instanceof HubError) || error.problem?.errors === undefined) throw error
    return { to: null, outcome: 'cannot be moved', changes: null, warnings: [], reasons: error.problem.errors }
  }
}

function describePlans (plans: readonly Plan[]): string {
  if (plans.length === 0) return 'No connections'
  return plans.flatMap(({ id, name, from, majors, ...step }) => [
    `${id}  ${name}  ${from}${step.outcome === 'can be moved' ? ` → ${step.to}` : `  ${step.outcome}`}`,
    ...describeStep(step),
    ...majors.flatMap(major => [
      `  newer major ${major.to}${
        major.outcome === 'can be moved' ? describeCommand(id, major) : `  ${major.outcome}`
      }`,
      ...describeStep(major).map(line => `  ${line}`)
    ])
  ]).map(escapeUnprintable).join('\n')
}

function describeStep ({ changes, warnings, reasons }: Step): string[] {
  return [
    ...changes === null
      ? warnings.map(({ message }) => `  warning   it ${message}`)
      : describeChanges({ changes, warnings }),
    ...reasons.map(({ pointer, message }) => `  refused   ${pointer} ${message}`)
  ]
}

function describeCommand (id: string, { to, warnings }: Step): string {
  const [key = '', version = ''] = (to ?? '').split('@')
  return `: linker connections move ${id} --key ${key} --to ${version}${
    needsConfirmation({ warnings }) ? ' --yes' : ''
  }`
}
