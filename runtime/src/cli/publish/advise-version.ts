import semver from 'semver'
import { gravestOf, type Change, type Step } from './change.ts'

/** Whether a version says as much as its changes ask for. */
export interface VersionAdvice {
  /** The step from the published version. */
  step: Step
  /** The least version that fits. A prerelease of it fits as well. */
  least: string
  fits: boolean
}

/**
 * Advises the next version after `published`. Below 1.0.0, the second number of a version counts
 * its major steps and the third one all others, as npm reads `^0.1.0`.
 */
export function adviseVersion (published: string, version: string, changes: readonly Change[]): VersionAdvice {
  const step = gravestOf(changes)
  const isFirst = semver.major(published) === 0
  const counted = isFirst ? step === 'major' ? 'minor' : 'patch' : step
  const least = semver.inc(published, counted) ?? published
  // A prerelease comes before its version: 1.1.0-rc.1 announces 1.1.0.
  const { major, minor, patch } = new semver.SemVer(version)
  const fits = semver.gt(version, published) && semver.gte(`${major}.${minor}.${patch}`, least)
  return { step, least, fits }
}
