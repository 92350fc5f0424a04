import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from './project.ts'

export interface NewerHub {
  version: string
  /** Pass it to `startHubProcess`. */
  command: string
  remove(): Promise<void>
}

const migration = '9000-of-the-newer-hub'

/**
 * Builds this hub with a higher version and one more migration, which adds a column and a table.
 * It finds the packages of this repository in its own `node_modules`.
 */
export async function buildNewerHub (): Promise<NewerHub> {
  const folder = await mkdtemp(join(tmpdir(), 'linker-newer-'))
  const runtime = join(folder, 'runtime')
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
    await symlink(join(repository, 'sdk'), join(folder, 'sdk'))
    await cp(join(repository, 'runtime'), runtime, { recursive: true, filter: isNeeded })
    const version = await raiseVersion(runtime)
    await addMigration(join(runtime, 'src', 'database'))
    await promisify(execFile)('npm', ['run', 'bundle', '--silent'], { cwd: runtime })
    return { version, command: join(runtime, 'dist', 'main.js'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function isNeeded (path: string): boolean {
  return !/\/runtime\/(?:dist|test|blank-database)$/.test(path)
}

async function raiseVersion (runtime: string): Promise<string> {
  const path = join(runtime, 'package.json')
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { version: string }
  const version = `${Number(manifest.version.split('.')[0]) + 1}.0.0`
  await writeFile(path, JSON.stringify({ ...manifest, version }))
  return version
}

async function addMigration (folder: string): Promise<void> {
  await writeFile(
    join(folder, 'migrations', `${migration}.ts`),
    `
      import { Migration } from '@mikro-orm/migrations'
      export class Newer extends Migration {
        override up (): void {
          this.addSql('alter table jobs add column newer text; create table newer (id uuid primary key);')
        }
      }
    `
  )
  await replaceIn(join(folder, 'migration-names.ts'), /\n\] as const/, `,\n  '${migration}'\n] as const`)
  const list = join(folder, 'migrations-list.ts')
  await replaceIn(list, /^/, `import { Newer } from './migrations/${migration}.ts'\n`)
  await replaceIn(list, /\n\}\n/, `,\n  '${migration}': Newer\n}\n`)
}

async function replaceIn (path: string, pattern: RegExp, replacement: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  if (!pattern.test(text)) throw new Error(`${path} does not contain ${String(pattern)}`)
  await writeFile(path, text.replace(pattern, replacement))
}
