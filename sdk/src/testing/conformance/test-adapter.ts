import { fileURLToPath } from 'node:url'
import { runConformance, type ConformanceOptions, type ConformanceReport } from './run-conformance.ts'

/** The methods of a test that `testAdapter` needs; a test of tap has them. */
export interface ConformanceTest {
  pass(name: string, extra: { skip?: string }): unknown
  fail(name: string, extra: { findings: readonly string[], prevents: string }): unknown
}

/**
 * Runs the conformance suite on a package, and reports every check as an assertion of the test `t`.
 * It takes the test, so that the SDK needs no test framework. Reports a check as skipped, with the
 * reason, when it is exempt or does not apply to this adapter.
 *
 * ```ts
 * t.test('the adapter conforms', t => testAdapter(t, new URL('..', import.meta.url)))
 * ```
 */
export async function testAdapter (
  t: ConformanceTest,
  packageRoot: string | URL,
  options: ConformanceOptions = {}
): Promise<ConformanceReport> {
  const report = await runConformance(
    typeof packageRoot === 'string' ? packageRoot : fileURLToPath(packageRoot),
    options
  )
  for (const { id, title, prevents, status, reason, findings, warnings = [] } of report.checks) {
    const name = `${id} ${title}`
    if (status === 'failed') {
      t.fail(name, {
        findings: findings.map(({ target, message }) => target === undefined ? message : `${target}: ${message}`),
        prevents
      })
    } else {
      const remarks = [...reason === undefined ? [] : [reason], ...warnings.map(({ message }) => `warning: ${message}`)]
      if (status === 'passed') t.pass(remarks.length === 0 ? name : `${name} (${remarks.join('; ')})`, {})
      else t.pass(name, { skip: `${status}: ${remarks.join('; ')}` })
    }
  }
  return report
}
