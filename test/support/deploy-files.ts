import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { repository } from './project.ts'

export const deployFolder = join(repository, 'examples/deploy')

export async function readDeployFile (name: string): Promise<string> {
  return readFile(join(deployFolder, name), 'utf8')
}

/** Reads a YAML file, with its merge keys (`<<`) resolved. */
export async function readDeployYaml (name: string): Promise<unknown> {
  return parse(await readDeployFile(name), { merge: true })
}

export interface Instruction {
  name: string
  text: string
}

/** The instructions of a Containerfile, each on one line and without comments. */
export function readInstructions (containerfile: string): Instruction[] {
  const lines = containerfile.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.filter(line => line.trim() !== '').map(line => {
    const [, name = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? []
    return { name, text }
  })
}

/** `A=1 B=2` → its variables. Values have no spaces. */
export function readAssignments (text: string): Record<string, string> {
  return Object.fromEntries(text.trim().split(/\s+/).map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name, value.join('=')]
  }))
}

/** The settings of a unit of systemd by name, in their order. */
export function readUnit (unit: string): Map<string, string[]> {
  const lines = unit.split('\n').filter(line => /^[A-Za-z]+=/.test(line))
  const pairs = lines.map(line => {
    const [name = '', ...value] = line.split('=')
    return { name, value: value.join('=') }
  })
  return new Map([...Map.groupBy(pairs, ({ name }) => name)].map(([name, of]) => [name, of.map(({ value }) => value)]))
}

/**
 * `${NAME:?}` → the value of the variable, as compose does it; throws when there is none.
 * `${NAME:-text}` → the value, or else the text.
 */
export function interpolate (text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+):(?:\?|-([^}]*))\}/g, (_whole, name: string, otherwise?: string) => {
    const value = variables[name] || otherwise
    if (value === undefined) throw new Error(`${name} is not set`)
    return value
  })
}
