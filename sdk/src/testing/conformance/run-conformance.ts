import { digestPackage } from '../../host/conformance-report.ts'
import { createValueRedactor } from '../../host/redact.ts'
import type { Check, Need } from './check.ts'
import { checks } from './checks.ts'
import { lacking } from './evidence.ts'
import type { Finding } from './finding.ts'
import { lackOfRuns } from './fixture-checks.ts'
import { unbuiltModules } from './package-json.ts'
import { accountExperiments, missingOrderExperiment, withoutHttpExperiment } from './plan.ts'
import { scenarios } from './scenarios.ts'
import { settingsFile, type Exemption } from './settings.ts'
import { refusesSettings } from './shape-checks.ts'
import { createSubject, type Subject } from './subject.ts'
import type { Limits } from './threads.ts'

export interface ConformanceOptions {
  /** The ids of the checks to run. Default: all. An unknown id throws. */
  only?: readonly string[]
  /**
   * Limits for adapters that are slow for a reason: the time of an import, a call and the end of a
   * thread.
   */
  limits?: Partial<Limits>
  /**
   * The caller writes the report for hubs afterwards (`writePackageReport`): `files` of
   * package.json must name it already, or the package would be published without it.
   */
  writesReport?: boolean
  /** Called before each check, for people who wait. */
  onCheck?(check: Pick<CheckResult, 'id' | 'title'>): void
}

export interface CheckResult {
  id: string
  level: 1 | 2 | 3
  title: string
  prevents: string
  /**
   * `exempt`: it failed, as linker.conformance.json says it would. `skipped`: it does not apply to
   * this adapter. Both have a reason. A passed check has a reason when it could not look at every
   * call.
   */
  status: 'passed' | 'failed' | 'exempt' | 'skipped'
  reason?: string
  findings: Finding[]
  /** What is allowed, but makes life harder for operators. Absent: nothing. */
  warnings?: Finding[]
}

/** The findings of the suite. Plain data. */
export interface ConformanceReport {
  directory: string
  name: string
  version: string
  isPassed: boolean
  /** File → digest before the first check. Absent when its package.json does not tell its files. */
  files?: Record<string, string>
  checks: CheckResult[]
}

const defaultLimits: Limits = { importMs: 5_000, settleMs: 5_000, endMs: 2_000 }

/**
 * Tests the adapter package in a folder: its manifest, its import, its shape, and its reaction to a
 * platform that misbehaves. It needs no platform, no hub and no test code:
 * `linker.conformance.json` beside package.json says how to call the adapter. The adapter runs in a
 * thread of its own. The suite repeats a few harmless calls in the current thread.
 */
export async function runConformance (
  packageRoot: string,
  { only, limits = {}, writesReport = false, onCheck }: ConformanceOptions = {}
): Promise<ConformanceReport> {
  const unknown = only?.find(id => !checks.some(check => check.id === id))
  if (unknown !== undefined) throw new RangeError(`there is no check '${unknown}'`)
  const wanted = checks.filter(({ id }) => only?.includes(id) ?? true)
  const files = await digestPackage(packageRoot).catch(() => undefined)
  const made = await createSubject(packageRoot, experimentsOf(wanted), { ...defaultLimits, ...limits })
  const subject = { ...made, writesReport }
  const results = await runChecks(subject, wanted, onCheck)
  const redact = createValueRedactor(await subject.secrets())
  const { directory, content } = subject.package
  return {
    directory,
    name: content?.name ?? '',
    version: content?.version ?? '',
    isPassed: results.every(({ status }) => status !== 'failed'),
    ...(files === undefined ? {} : { files }),
    // Findings quote texts of adapters, so redact them: the report must not leak a secret again.
    checks: redact(results) as CheckResult[]
  }
}

/** Runs checks on a subject, one after the other. */
export async function runChecks (
  subject: Subject,
  wanted: readonly Check[],
  onCheck?: ConformanceOptions['onCheck']
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of wanted) {
    onCheck?.({ id: check.id, title: check.title })
    results.push(await runCheck(check, subject))
  }
  return results
}

/** Returns the names of the experiments that checks use. */
export function experimentsOf (wanted: readonly Check[]): ReadonlySet<string> {
  const all = [
    ...scenarios.map(({ name }) => name),
    missingOrderExperiment,
    withoutHttpExperiment,
    ...Object.values(accountExperiments)
  ]
  return new Set(wanted.flatMap(({ experiments = [] }) => experiments === 'all' ? all : experiments))
}

async function runCheck (check: Check, subject: Subject): Promise<CheckResult> {
  const { id, level, title, prevents, needs } = check
  const result = { id, level, title, prevents }
  const unmet = needs === undefined ? undefined : await lackOf(needs, subject, check)
  if (unmet !== undefined) return { ...result, status: 'skipped', reason: unmet, findings: [] }
  const found = await check.run(subject)
  const remarks = await check.warn?.(subject) ?? []
  const warnings = remarks.length === 0 ? {} : { warnings: remarks }
  const { lack, missed, missing } = await check.evidence?.(subject) ?? lacking(undefined)
  if (found.length === 0 && lack !== undefined) {
    return { ...result, status: 'skipped', reason: lack, findings: [], ...warnings }
  }
  const exemptions = (subject.settings.settings.exemptions ?? []).filter(exemption =>
    exemption.check === id &&
    (!missed.some(name => name === exemption.target) || found.some(({ target }) => target === exemption.target))
  )
  const judged = judge(found, exemptions)
  return {
    ...result,
    ...judged,
    ...warnings,
    reason: missed.length > 0 && judged.status === 'passed'
      ? `the suite saw no ${missing} of ${missed.join(', ')}`
      : judged.reason
  }
}

function judge (
  findings: Finding[],
  exemptions: readonly Exemption[]
): Pick<CheckResult, 'status' | 'reason' | 'findings'> {
  const concerns = ({ target }: Exemption, finding: Finding): boolean =>
    target === undefined || target === finding.target
  const stale = exemptions.filter(exemption => !findings.some(finding => concerns(exemption, finding)))
  const serious = findings.filter(finding => !exemptions.some(exemption => concerns(exemption, finding)))
  const failures = [
    ...serious,
    ...stale.map(({ target }) => ({
      message: `its exemption${target === undefined ? '' : ` for ${target}`} is not needed any more: remove it`
    }))
  ]
  if (failures.length > 0) return { status: 'failed', findings: failures }
  return findings.length === 0
    ? { status: 'passed', findings }
    : { status: 'exempt', reason: exemptions.map(({ reason }) => reason).join('; '), findings }
}

async function lackOf (need: Need, subject: Subject, check: Check): Promise<string | undefined> {
  const { package: found } = subject
  if (found.content === undefined || found.manifest === undefined) return 'its package.json is invalid'
  if (need === 'package') return undefined
  if (found.entry === undefined) {
    return unbuiltModules(found).length > 0
      ? 'its module is not there: build it first, see L1-MAN-05'
      : 'its module was not found: see L1-MAN-05'
  }
  if (need === 'module') return undefined
  const { report } = await subject.imported()
  if (report?.description === undefined) return 'its import failed'
  if (need === 'import') return undefined
  if (need === 'authorisation') {
    return report.description.authorisation === undefined ? 'it declares no authorisation' : undefined
  }
  if (subject.settings.problems.length > 0) return `${settingsFile} is invalid: see L1-MAN-08`
  if (need === 'settings') return undefined
  if (need === 'verification') {
    const declared = report.description.webhooks?.verify
    return declared === undefined ? 'it declares no verification of webhooks' : undefined
  }
  if (need === 'events') {
    const { source, body } = report.description.webhooks ?? {}
    return source === undefined && body === undefined ? 'it declares no place of the events of webhooks' : undefined
  }
  if (need === 'challenges') {
    const { challenges = [] } = report.description.webhooks ?? {}
    return challenges.length === 0 ? 'it declares no challenges of webhooks' : undefined
  }
  if ((await subject.targets()).targets.length === 0) return 'it has nothing that can be called'
  const { failure: atStart } = await subject.started()
  if (atStart !== undefined) return `its thread ended during its start: ${describe(atStart)}`
  if (await refusesSettings(subject)) {
    return `its schemas refuse the config or the credentials of ${settingsFile}: see L1-SHP-06`
  }
  if (need === 'fixtures') return lackOfFixtures(subject, check)
  if (need === 'calls') return undefined
  const { failure } = await subject.run()
  if (failure !== undefined) return `its thread ended before its calls: ${describe(failure)}`
  if (need === 'outcomes') return undefined
  return (await subject.secrets()).length === 0 ? 'it has no secret' : undefined
}

async function lackOfFixtures (subject: Subject, check: Check): Promise<string | undefined> {
  const { fixtures = [] } = subject.settings.settings
  if (fixtures.length === 0) return `${settingsFile} has no fixtures`
  return lackOfRuns(await subject.fixtures(), check)
}

function describe ({ target, message }: Finding): string {
  return target === undefined ? message : `${target}: ${message}`
}
