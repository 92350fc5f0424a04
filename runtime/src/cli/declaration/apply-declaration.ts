import { HubError, type HubClient } from '../hub-client.ts'
import { creationFaults } from './creation-faults.ts'
import { readHubState, type HubState } from './hub-state.ts'
import { planConnections, type Credentials } from './plan-connections.ts'
import { planOffers } from './plan-offers.ts'
import { planSettings, type SettingsPlan } from './plan-settings.ts'
import type { ReadDeclaration } from './read-declaration.ts'
import type { Declaration } from './schema.ts'
import type { Skipped, Step } from './step.ts'

export interface Applied {
  dryRun: boolean
  /** The changes that were made, or would be after a dry run. */
  steps: Omit<Step, 'request'>[]
  skipped: Omit<Skipped, 'isUntilCreated'>[]
}

/**
 * Makes the hub have what a declaration says. Creates and changes, and never deletes. Checks all
 * that it can before the first change: only the schedules of a new connection are known later.
 */
export async function applyDeclaration (
  hub: HubClient,
  { declaration, refuse }: ReadDeclaration,
  { isDryRun, credentials, onStep = () => undefined }: {
    isDryRun: boolean,
    credentials: Credentials,
    onStep?: (step: string) => void
  }
): Promise<Applied> {
  onStep('reading the settings of the hub')
  const withOffers = (declaration.offers ?? []).length > 0
  const state = await readHubState(hub, withOffers)
  const { steps: ofConnections, faults } = planConnections(declaration, state, credentials)
  const planned = planRest(declaration, state)
  refuse([...faults, ...planned.faults])
  refuse(await creationFaults(hub, declaration, ofConnections, credentials))
  if (isDryRun) {
    const [later, skipped] = [true, false].map(isLater =>
      planned.skipped.filter(({ isUntilCreated }) => isUntilCreated === isLater)
    )
    const created = (later ?? []).map(({ object, name }) => ({ object, name, action: 'create' as const, changes: [] }))
    return resultOf(isDryRun, [...ofConnections, ...planned.steps, ...created], skipped ?? [])
  }
  const done: Step[] = []
  await runSteps(hub, ofConnections, done, onStep)
  // New connections bring schedules of their own.
  const rest = ofConnections.some(({ action }) => action === 'create')
    ? planRest(declaration, await readHubState(hub, withOffers))
    : planned
  refuse(rest.faults)
  await runSteps(hub, rest.steps, done, onStep)
  return resultOf(isDryRun, done, rest.skipped)
}

function planRest (declaration: Declaration, state: HubState): SettingsPlan {
  const [settings, offers] = [planSettings(declaration, state), planOffers(declaration, state)]
  return {
    steps: [...settings.steps, ...offers.steps],
    faults: [...settings.faults, ...offers.faults],
    skipped: [...settings.skipped, ...offers.skipped]
  }
}

/** Stops at the first step that the hub refuses. Earlier steps stay; another run does the rest. */
async function runSteps (
  hub: HubClient,
  steps: readonly Step[],
  done: Step[],
  onStep: (step: string) => void
): Promise<void> {
  for (const step of steps) {
    const { object, name, action, request: { method, path, body } } = step
    onStep(`${action} ${object} '${name}'`)
    await hub.call(method, path, body).catch((error: unknown) => {
      if (!(error instanceof HubError)) throw error
      throw new HubError(
        `cannot ${action} ${object} '${name}': ${error.message}\n${done.length} of the changes were ` +
          'made before',
        { cause: error }
      )
    })
    done.push(step)
  }
}

function resultOf (dryRun: boolean, steps: readonly Omit<Step, 'request'>[], skipped: readonly Skipped[]): Applied {
  return {
    dryRun,
    steps: steps.map(({ object, name, action, changes }) => ({ object, name, action, changes })),
    skipped: skipped.map(({ object, name, reason }) => ({ object, name, reason }))
  }
}
