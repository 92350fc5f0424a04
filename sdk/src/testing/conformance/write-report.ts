import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contractVersion } from '../../adapter.ts'
import { conformanceReportFile, digestPackage, type PackageReport } from '../../host/conformance-report.ts'
import { checks as everyCheck } from './checks.ts'
import type { CheckResult, ConformanceReport } from './run-conformance.ts'

/**
 * Returns the highest level of which some check passed, and neither one of it nor one below failed.
 * 0: a check of level 1 failed.
 */
export function levelOf (checks: readonly Pick<CheckResult, 'level' | 'status'>[]): 0 | 1 | 2 | 3 {
  const isReached = (level: number): boolean =>
    checks.some(check => check.level === level && check.status === 'passed') &&
    checks.every(check => check.level > level || check.status !== 'failed')
  if (!isReached(1)) return 0
  if (!isReached(2)) return 1
  return isReached(3) ? 3 : 2
}

/**
 * Writes the result of all checks into the package, beside its package.json. Hubs show the level
 * while the files are those that were tested. Returns the path. Throws when some checks did not
 * run.
 */
export async function writePackageReport ({ directory, checks }: ConformanceReport): Promise<string> {
  if (everyCheck.some(({ id }) => !checks.some(check => check.id === id))) {
    throw new TypeError('a report for hubs needs all checks')
  }
  const idsOf = (wanted: CheckResult['status']): string[] =>
    checks.filter(({ status }) => status === wanted).map(({ id }) => id)
  const report: PackageReport = {
    suite: contractVersion,
    level: levelOf(checks),
    passed: idsOf('passed'),
    failed: idsOf('failed'),
    exempt: idsOf('exempt'),
    skipped: idsOf('skipped'),
    files: await digestPackage(directory)
  }
  const file = join(directory, conformanceReportFile)
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
  return file
}
