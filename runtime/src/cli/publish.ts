import type { Command } from 'commander'
import { resolve } from 'node:path'
import { printable } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'

interface Options {
  dryRun?: boolean
  against?: string
  json?: boolean
}

export function addPublish (program: Command): void {
  program.command('publish')
    .description('try out what npm publish would upload of an adapter: pack and install it, run the conformance ' +
      'suite, compare its contract with the published version, and advise the next version; uploads nothing')
    .argument('[folder]', 'folder with the package.json of the adapter', '.')
    .option('--dry-run', 'required, because this command never uploads anything: npm publish does')
    .option('--against <tarball>', 'compare with this tarball, not with the newest version in the registry')
    .option('--json', 'print JSON')
    .action(async (folder: string, { dryRun = false, against, json = false }: Options) => {
      if (!dryRun) {
        throw new Error('this command uploads nothing: linker publish --dry-run tries the package out, and then ' +
          'npm publish uploads it')
      }
      const [{ tryPublication }, { describePublication }] = await Promise.all([
        import('./publish/try-publication.ts'),
        import('./publish/describe-publication.ts')
      ])
      const publication = await tryPublication({
        directory: resolve(folder),
        ...against === undefined ? {} : { against: resolve(against) },
        progress: createProgress(process.stderr)
      })
      const text = json ? JSON.stringify(publication, null, 2) : describePublication(publication)
      // End the process when the report is written, because a pipe takes its time. The adapter ran
      // in this process and may have left something behind.
      process.stdout.write(`${printable(text)}\n`, () => {
        process.exit(publication.problems.length === 0 ? 0 : 1)
      })
    })
}
