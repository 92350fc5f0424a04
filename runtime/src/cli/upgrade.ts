import type { Command } from 'commander'
import semver from 'semver'
import type { Move } from '../connections/move-schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { describeChanges, nameOf } from './move.ts'

interface Reason { pointer: string, code: string, message: string }

/** What moving one connection to the newest stable version of its key would do. */
interface Plan {
  id: string
  name: string
  from: string
  to: string | null
  outcome: 'up to date' | 'newer than the newest stable version' | 'can be moved' | 'cannot be moved'
  changes: Move['changes'] | null
  warnings: Move['warnings']
  reasons: Reason[]
}

export function addUpgrade (program: Command): void {
  withHub(program.command('upgrade').description('what moving each connection to the newest installed version of its adapter would change')
    .requiredOption('--plan', 'say it and change nothing; `linker connections move` moves one')
    .option('--json', 'as JSON'))
    .action(async (options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const connections = await hub.list('/connections?limit=200') as ConnectionView[]
      const plans: Plan[] = []
      for (const connection of connections) plans.push(await planUpgrade(hub, connection))
      console.log(options.json === true ? JSON.stringify(plans, null, 2) : describePlans(plans))
    })
}

/** Without the connection test: a plan for all connections asks no platform. */
async function planUpgrade (hub: HubClient, { id, name, adapterKey, adapterVersion }: ConnectionView): Promise<Plan> {
  const from = `${adapterKey}@${adapterVersion ?? 'latest'}`
  try {
    const move = await hub.call('POST', `/connections/${id}/adapter`, { adapterVersion: 'latest', dryRun: true, test: false }) as Move
    const plan = { id, name, from: nameOf(move.from), to: nameOf(move.to), changes: null, warnings: [], reasons: [] }
    const step = move.from.version === null || move.to.version === null ? 1 : semver.compare(move.to.version, move.from.version)
    if (step === 0) return { ...plan, outcome: 'up to date' }
    if (step < 0) return { ...plan, outcome: 'newer than the newest stable version' }
    return { ...plan, outcome: 'can be moved', changes: move.changes, warnings: move.warnings }
  } catch (error) {
    if (!(error instanceof HubError) || error.problem?.errors === undefined) throw error
    return { id, name, from, to: null, outcome: 'cannot be moved', changes: null, warnings: [], reasons: error.problem.errors }
  }
}

function describePlans (plans: readonly Plan[]): string {
  if (plans.length === 0) return 'No connections'
  return plans.flatMap(({ id, name, from, to, outcome, changes, warnings, reasons }) => [
    `${id}  ${name}  ${from}${outcome === 'can be moved' ? ` → ${to}` : `  ${outcome}`}`,
    ...(changes === null ? [] : describeChanges({ changes, warnings })),
    ...reasons.map(({ pointer, message }) => `  refused   ${pointer} ${message}`)
  ]).join('\n')
}
