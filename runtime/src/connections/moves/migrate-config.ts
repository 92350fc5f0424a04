import type { SchemaProblem } from '@linker/sdk/host'
import type { LoadedAdapter } from '../../adapters/load.ts'
import type { MigrationStep } from './migration-plan.ts'

export type Config = Record<string, unknown>

const stepTimeoutMs = 5_000

/**
 * Applies the steps of a plan one after the other, each with the adapter that declares it. Returns
 * the new config, or the problems that prevented it.
 */
export async function migrateConfig (
  config: Config,
  steps: readonly MigrationStep[],
  adapters: Record<MigrationStep['of'], LoadedAdapter | undefined>
): Promise<Config | SchemaProblem[]> {
  let migrated = config
  for (const step of steps) {
    const made = await runStep(migrated, step, adapters[step.of])
    if (made === undefined) {
      return [{
        pointer: '/config',
        code: 'migration-failed',
        message:
          `was not migrated: the step ${step.direction} between ${step.from} and ${step.to} failed or did not answer ` +
          'an object'
      }]
    }
    migrated = made
  }
  return migrated
}

/** Drops the adapter's own text of a failure, because the text may quote secrets of the config. */
async function runStep (
  config: Config,
  { index, direction }: MigrationStep,
  adapter: LoadedAdapter | undefined
): Promise<Config | undefined> {
  try {
    const answer = await adapter?.carrier.call({
      target: { kind: 'migrate', index, direction },
      args: [config],
      signal: AbortSignal.timeout(stepTimeoutMs)
    })
    // Write the config as JSON and read it again, as storing does: otherwise the answer would show
    // values that JSON cannot hold and that are gone after storing.
    const made: unknown = JSON.parse(JSON.stringify(answer?.value ?? null))
    return isPlainObject(answer?.value) && isPlainObject(made) ? made : undefined
  } catch {
    return undefined
  }
}

function isPlainObject (value: unknown): value is Config {
  return typeof value === 'object' && value !== null &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
}
