import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { resolve } from 'node:path'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { withHub } from './connections.ts'
import { messageOf } from './doctor/finding.ts'
import { HubError, type HubOptions } from './hub-client.ts'

interface ReportOptions extends HubOptions {
  out?: string
}

/** `linker report`. */
export function addReport (program: Command): void {
  withHub(program.command('report')
    .description('write a report for support into a file that only you can read: versions, findings, figures and ' +
      'failures, without secrets, payloads and names; works with and without a running hub')
    .option('--out <file>', 'the file to write, which must not exist; default: linker-report-<time>.tar.gz'))
    .action(async ({ out, ...options }: ReportOptions) => {
      const now = new Date()
      const path = resolve(out ?? `linker-report-${now.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`)
      const [{ collect }, { writeBundle }] = await Promise.all([
        import('./report/collect.ts'),
        import('./report/bundle.ts')
      ])
      const { files, missing } = await collect(options, now, createProgress(process.stderr))
      await writeBundle(path, files).catch((error: unknown) => {
        throw new HubError(`cannot write the report: ${messageOf(error)}`)
      })
      print([
        escapeUnprintable(path),
        `${files.size} files, readable by you only. Look through them before you pass them on.`,
        ...missing.map(why => escapeUnprintable(`Not in it: ${why}`))
      ].join('\n'))
      // End the process here: the import of an adapter may have left a timer or a socket behind.
      process.exit(0)
    })
}
