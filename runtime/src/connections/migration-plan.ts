import type { MigrationDescription } from '@linker/sdk/host'
import semver from 'semver'

/** An adapter version, as the owner of a form of config and of the migrations that lead to it. */
export interface ConfigOwner {
  adapterKey: string
  /** Undefined: it is not installed, and the connection is not pinned to an exact version. */
  version: string | undefined
  migrations: readonly MigrationDescription[]
}

export interface MigrationStep {
  /** Whose migration it is. */
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
   * The migration on the way back that has no `down`. There are no steps then: the config fits as
   * it is, or not at all.
   */
  oneWay?: MigrationStep
}

/**
 * Which migrations bring a config from `current` to `target`: up by those of the target, as far as
 * they fit; else down by those of the current adapter, the way back of what they would make of the
 * target's config. A pre-release counts as the release that it leads to.
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
 * Positions of the owner's migrations that lead from another form to its own. Of several that fit,
 * the one that leads furthest.
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
