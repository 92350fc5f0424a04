import type { MigrationDescription } from '@linker/sdk/host'
import semver from 'semver'

/** An adapter version, as the owner of a form of config and of the migrations that lead to it. */
export interface ConfigOwner {
  adapterKey: string
  /**
   * Undefined when the version is not installed and the connection is not pinned to an exact
   * version.
   */
  version: string | undefined
  migrations: readonly MigrationDescription[]
}

export interface MigrationStep {
  /** The adapter that declares the migration. */
  of: 'target' | 'current'
  /** Position in that adapter's description. */
  index: number
  direction: 'up' | 'down'
  from: string
  to: string
  isReversible: boolean
}

export interface MigrationPlan {
  /** To be applied one after the other; empty when nothing fits. */
  steps: readonly MigrationStep[]
  /**
   * The first migration on the way back that has no `down`. The plan then has no steps: the config
   * must fit the target as it is, or the move is refused.
   */
  oneWay?: MigrationStep
}

/**
 * Chooses the migrations that bring a config from `current` to `target`. An upgrade takes the `up`
 * migrations of the target, as far as they fit. When none fits, the plan is a downgrade: it takes
 * the migrations of the current adapter that lead from the target's form to the current one, and
 * undoes them in reverse order. A pre-release counts as the release that it leads to.
 */
export function planMigrations (current: ConfigOwner, target: ConfigOwner): MigrationPlan {
  const up = climb(current, target).map(index => stepOf('target', target, index, 'up'))
  if (up.length > 0) return { steps: up }
  const down = climb(target, current).toReversed().map(index => stepOf('current', current, index, 'down'))
  const oneWay = down.find(step => !step.isReversible)
  return oneWay === undefined ? { steps: down } : { steps: [], oneWay }
}

interface Form {
  adapterKey: string
  version: string | null
}

/**
 * Lists the positions of the owner's migrations that lead from another form of config to its own.
 * When several migrations fit, it takes the one that leads furthest.
 */
function climb (from: Omit<ConfigOwner, 'migrations'>, owner: ConfigOwner): number[] {
  const chosen: number[] = []
  const end = releaseOf(owner.version)
  let at: Form = { adapterKey: from.adapterKey, version: releaseOf(from.version) }
  for (;;) {
    const next = owner.migrations.reduce<{ index: number, to: string } | undefined>((best, migration, index) => {
      const to = releaseOf(migration.to)
      const fits = to !== null && end !== null && semver.lte(to, end) && takes(migration.from, at) &&
        leadsOn(at, owner.adapterKey, to)
      return fits && (best === undefined || semver.gt(to, best.to)) ? { index, to } : best
    }, undefined)
    if (next === undefined) return chosen
    chosen.push(next.index)
    at = { adapterKey: owner.adapterKey, version: next.to }
  }
}

/** Whether a migration from `adapterKey` or `adapterKey@range` takes a config of this form. */
function takes (from: string, { adapterKey, version }: Form): boolean {
  const [key = '', range] = from.split('@', 2)
  if (key !== adapterKey) return false
  return range === undefined || (version !== null && semver.satisfies(version, range, { includePrerelease: true }))
}

/** Every step of a key raises the version, so a chain ends and takes no migration twice. */
function leadsOn (at: Form, adapterKey: string, to: string): boolean {
  return at.adapterKey !== adapterKey || (at.version !== null && semver.gt(to, at.version))
}

function releaseOf (version: string | undefined): string | null {
  const parsed = semver.parse(version)
  return parsed === null ? null : `${parsed.major}.${parsed.minor}.${parsed.patch}`
}

function stepOf (
  of: MigrationStep['of'],
  { migrations }: ConfigOwner,
  index: number,
  direction: MigrationStep['direction']
): MigrationStep {
  const { from, to, isReversible } = migrations[index] ?? { from: '', to: '', isReversible: false }
  return { of, index, direction, from, to, isReversible }
}
