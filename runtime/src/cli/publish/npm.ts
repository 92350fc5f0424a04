import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const mostOutputBytes = 64 * 1024 * 1024

/** The end of a program, however it ended. */
export interface Ended {
  hasFailed: boolean
  stdout: string
  stderr: string
}

/** Runs a program without a shell, so that no character in an argument has a special meaning. */
export async function runProgram (command: string, args: readonly string[], directory: string): Promise<Ended> {
  try {
    const { stdout, stderr } = await run(command, [...args], { cwd: directory, maxBuffer: mostOutputBytes })
    return { hasFailed: false, stdout, stderr }
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: unknown, stderr?: unknown }
    // Without output the program did not start, or was ended for its mass of output.
    if (typeof stdout !== 'string' || typeof stderr !== 'string' || stdout + stderr === '') {
      throw new Error(`${command} cannot be run: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error
      })
    }
    return { hasFailed: true, stdout, stderr }
  }
}

/** Runs npm and throws its output when it fails. */
export async function npm (args: readonly string[], directory: string): Promise<string> {
  const { hasFailed, stdout, stderr } = await runProgram('npm', args, directory)
  if (hasFailed) {
    throw new Error(`npm ${args.join(' ')} failed:\n${(stderr.trim() === '' ? stdout : stderr).trim()}`)
  }
  return stdout
}

/**
 * Packs a folder, or a version of the registry such as `feedshop@1.0.0`, into a new folder `place`.
 * Runs the scripts that npm runs before it publishes. Returns the path of the tarball.
 */
export async function pack (what: string | undefined, place: string, directory: string): Promise<string> {
  await mkdir(place)
  await npm(['pack', '--silent', '--pack-destination', place, ...what === undefined ? [] : [what]], directory)
  const [tarball] = await readdir(place)
  if (tarball === undefined) throw new Error(`npm pack made no tarball of ${what ?? directory}`)
  return join(place, tarball)
}

/**
 * Asks the registry for the newest version of a package. Returns undefined when the registry does
 * not have the package.
 */
export async function findNewest (name: string, directory: string): Promise<string | undefined> {
  const { hasFailed, stdout, stderr } = await runProgram('npm', ['view', name, 'version', '--json'], directory)
  if (!hasFailed) return JSON.parse(stdout) as string
  if (/\bE404\b/.test(stdout + stderr)) return undefined
  throw new Error(`the registry did not say whether it has ${name}. Name a tarball of the published version with ` +
    `--against, if there is one. npm view failed:\n${(stderr.trim() === '' ? stdout : stderr).trim()}`)
}
