import { contractVersion } from '@linker/sdk/host/text'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answers } from './answers.ts'
import { roles } from './roles.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

/** Makes the files of a new adapter, by their paths. Writes nothing. */
export async function renderProject (answers: Answers, now: Date): Promise<Map<string, string>> {
  const values = await valuesOf(answers, now)
  const files = new Map<string, string>()
  for (const part of ['shared', answers.role]) {
    for (const [path, text] of await readTemplate(part)) {
      const isManifest = path === 'package.json'
      files.set(path, isManifest ? renderManifest(text, values, answers) : fill(text, values))
    }
  }
  return files
}

/** The values of the placeholders `{{name}}`. */
async function valuesOf ({ directory, role, platform, displayName }: Answers, now: Date) {
  // The templates are tested with the versions that this package is developed with, and name them.
  const { devDependencies } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return new Map(Object.entries({
    folder: basename(directory),
    packageName: `linker-adapter-${platform}-v1`,
    platform,
    displayName,
    capabilities: roles[role].capabilities.map(name => `\`${name}\``).join(' and '),
    year: String(now.getFullYear()),
    contractVersion,
    sdkVersion: devDependencies['@linker/sdk'],
    runtimeVersion: devDependencies['@linker/runtime'],
    typeboxVersion: devDependencies['@sinclair/typebox'],
    nodeTypesVersion: devDependencies['@types/node'],
    typescriptVersion: devDependencies.typescript,
    publintVersion: devDependencies.publint,
    attwVersion: devDependencies['@arethetypeswrong/cli']
  }))
}

type Values = ReadonlyMap<string, string | undefined>

function fill (text: string, values: Values): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`the template names '${name}', which has no value`)
    return value
  })
}

/** Fills the texts after parsing: a name with quotes must not change the form. */
function renderManifest (text: string, values: Values, { role }: Answers): string {
  const manifest = JSON.parse(text, (_name, value: unknown) => typeof value === 'string' ? fill(value, values) : value)
  manifest.linker.capabilities = roles[role].capabilities
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/**
 * The files that have another name in the template. npm publishes no file of the name `.gitignore`,
 * and a package has one package.json.
 */
const names = new Map([['gitignore', '.gitignore'], ['manifest.json', 'package.json']])

async function readTemplate (part: string): Promise<[path: string, text: string][]> {
  const folder = join(packageFolder, 'template', part)
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  return Promise.all(entries.map(async entry => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    return [names.get(name) ?? name, await readFile(path, 'utf8')]
  }))
}
