import type { Command } from 'commander'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { print } from '../terminal/print.ts'

interface Options {
  check?: boolean
}

export function addDocs (program: Command): void {
  program.command('docs')
    .description('write the tables of an adapter into its README.md: config, credentials, capabilities, webhooks, ' +
      'jobs, schedules, routes and permissions, as its built code and its package.json say')
    .argument('[folder]', 'folder with the package.json of the adapter', '.')
    .option('--check', 'change nothing; exits with 1 when the tables are not up to date')
    .action(async (folder: string, { check = false }: Options) => {
      const directory = resolve(folder)
      const path = join(directory, 'README.md')
      const before = await readFile(path, 'utf8').catch(() => {
        throw new Error(`there is no README.md in ${directory}`)
      })
      const after = await writeReference(directory, path, before)
      const isCurrent = after === before
      if (!isCurrent && !check) await writeFile(path, after)
      const say = check ? 'is not up to date: run linker docs' : 'was changed'
      print(`${path} ${isCurrent ? 'is up to date' : say}`)
      // End the process here: the import of an adapter may have left a timer or a socket behind.
      process.exit(check && !isCurrent ? 1 : 0)
    })
}

async function writeReference (directory: string, path: string, readme: string): Promise<string> {
  const [{ readPackageJson }, { readContract }, { referenceOf }, { markersAdvice, withReference }] = await Promise.all([
    import('./publish/installed.ts'),
    import('./publish/read-contract.ts'),
    import('./docs/reference.ts'),
    import('./docs/block.ts')
  ])
  const content = await readPackageJson(directory)
  const contract = await readContract({ project: directory, directory, content })
  if (contract === undefined) {
    throw new Error(`the adapter in ${directory} cannot be loaded: build it, and linker conformance says what is wrong`)
  }
  const written = withReference(readme, referenceOf(contract))
  if (written === undefined) throw new Error(`${path} has no place for the tables: ${markersAdvice}`)
  return written
}
