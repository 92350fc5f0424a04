import { escapeUnprintable } from '@linker/sdk/host/text'
import type { CheckResult, ConformanceReport } from '@linker/sdk/testing'
import type { Command } from 'commander'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { printable } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatJunit } from './junit.ts'

interface Options {
  json?: boolean
  junit?: string
  only?: string[]
  report?: boolean
}

export function addConformance (program: Command): void {
  program.command('conformance')
    .description('run the conformance suite on an adapter package; exits with 1 when a check fails')
    .argument('[folder]', 'folder with the package.json of the adapter', '.')
    .option('--json', 'print JSON')
    .option('--junit <file>', 'also write a JUnit report')
    .option('--only <ids...>', 'ids of the checks to run')
    .option('--report', 'also write the level into the package, for the hubs that load it: run it after the build')
    .action(async (folder: string, { json, junit, only, report: reports = false }: Options) => {
      if (reports && only !== undefined) throw new Error('--report needs all checks: leave out --only')
      const { runConformance, writePackageReport } = await import('@linker/sdk/testing')
      const progress = createProgress(process.stderr)
      const report = await runConformance(resolve(folder), {
        writesReport: reports,
        onCheck ({ id, title }) {
          progress(`${id}  ${title}`)
        },
        ...only === undefined ? {} : { only }
      })
      if (reports) await writePackageReport(report)
      if (junit !== undefined) await writeFile(junit, formatJunit(report))
      const text = json === true ? JSON.stringify(report, null, 2) : describeReport(report)
      // End the process when the report is written, because a pipe takes its time. The adapter ran
      // in this thread and may have left something behind.
      process.stdout.write(`${printable(text)}\n`, () => {
        process.exit(report.isPassed ? 0 : 1)
      })
    })
}

const marks = { passed: 'ok', failed: 'FAILED', exempt: 'exempt', skipped: 'skipped' } as const

/**
 * Writes one line per check. Below a failed check it writes the findings and the harm that the
 * check prevents.
 */
export function describeReport ({ name, version, directory, checks }: ConformanceReport): string {
  const count = (wanted: CheckResult['status']): number => checks.filter(({ status }) => status === wanted).length
  const warnings = checks.flatMap(check => check.warnings ?? []).length
  return [
    escapeUnprintable(name === '' ? directory : `${name}@${version}`),
    ...checks.flatMap(describeCheck).map(escapeUnprintable),
    `${count('passed')} passed, ${count('failed')} failed, ${count('exempt')} exempt, ${count('skipped')} skipped${
      warnings === 0 ? '' : `; warnings: ${warnings}`
    }`
  ].join('\n')
}

function describeCheck ({ id, title, prevents, status, reason, findings, warnings = [] }: CheckResult): string[] {
  return [
    `${marks[status].padEnd(7)}  ${id}  ${title}${reason === undefined ? '' : ` (${reason})`}`,
    ...status === 'failed'
      ? [
        ...findings.map(({ target, message }) => `         ${target === undefined ? '' : `${target}: `}${message}`),
        `         It prevents that ${prevents}`
      ]
      : [],
    ...warnings.map(({ message }) => `         warning: ${message}`)
  ]
}
