import type { SchemaProblem } from '@linker/sdk/host'
import type { LoadedAdapter } from '../adapters/load.ts'
import type { MigrationStep } from './migration-plan.ts'

export type Config = Record<string, unknown>

const stepTimeoutMs = 5_000

/**
 * Applies the steps of a plan one after the other, each on the adapter that has it. Answers the
 * config, or what kept it from being made.
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
          `was not migrated: the way ${step.direction} between ${step.from} and ${step.to} failed or did not answer ` +
          'an object'
      }]
    }
    migrated = made
  }
  return migrated
}

/** Without what the adapter says of a failure: it may quote the secrets of the config. */
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
    // As it will be read again: what JSON does not know would be shown and then not be there.
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
