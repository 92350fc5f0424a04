import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contractVersion } from '../../adapter.ts'
import {
  conformanceReportFile,
  digestPackage,
  mostReportBytes,
  type PackageReport
} from '../../host/conformance-report.ts'
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
 * run, or a file has changed since the first of them.
 */
export async function writePackageReport ({ directory, files: before = {}, checks }: ConformanceReport): Promise<
  string
> {
  if (everyCheck.some(({ id }) => !checks.some(check => check.id === id))) {
    throw new TypeError('a report for hubs needs all checks')
  }
  const files = await digestPackage(directory)
  const changed = [...new Set([...Object.keys(files), ...Object.keys(before)])]
    .find(name => files[name] !== before[name])
  if (changed !== undefined) throw new Error(`${changed} has changed during the test: test the package again`)
  const idsOf = (wanted: CheckResult['status']): string[] =>
    checks.filter(({ status }) => status === wanted).map(({ id }) => id)
  const report: PackageReport = {
    suite: contractVersion,
    level: levelOf(checks),
    passed: idsOf('passed'),
    failed: idsOf('failed'),
    exempt: idsOf('exempt'),
    skipped: idsOf('skipped'),
    files
  }
  const file = join(directory, conformanceReportFile)
  const text = `${JSON.stringify(report, null, 2)}\n`
  if (Buffer.byteLength(text) > mostReportBytes) {
    throw new RangeError(`the report would have more than ${mostReportBytes} bytes: publish fewer files`)
  }
  await writeFile(file, text)
  return file
}
