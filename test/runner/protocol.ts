// Messages between the runner and a process that runs test files, beside the TAP of that process.

const filesVariable = 'LINKER_TEST_FILES'
const lingerVariable = 'LINKER_TEST_LINGER_MS'

/**
 * Passes the files as variables. As arguments they would make the names of `t.testdir` folders too
 * long: tap derives those from the arguments.
 */
export function variablesFor (files: readonly string[], lingerMs: number): NodeJS.ProcessEnv {
  return { [filesVariable]: JSON.stringify(files), [lingerVariable]: String(lingerMs) }
}

export function filesOf (environment: NodeJS.ProcessEnv): string[] {
  return JSON.parse(environment[filesVariable] ?? '[]') as string[]
}

/** How long the process may stay alive after its last file ended, if a file left something open. */
export const lingerMsOf = (environment: NodeJS.ProcessEnv): number => Number(environment[lingerVariable])
/** The exit code of a process that stayed alive for longer. tap's own codes are 0 and 1. */
export const heldOpenCode = 3

/** Makes a line of standard error that says: the lines after it belong to this file. */
export const fileMarker = (file: string): string => `--- ${file} ---`
const marked = /^--- (.+) ---$/

export const readFileMarker = (line: string): string | undefined => marked.exec(line)?.[1]

/** Makes a TAP comment with the processor time of the file that has just ended. */
export const cpuComment = (milliseconds: number): string => `cpu ${milliseconds} ms`
const timed = /^# cpu (\d+) ms$/m

export function readCpuComment (comment: string): number | undefined {
  const [, milliseconds] = timed.exec(comment) ?? []
  return milliseconds === undefined ? undefined : Number(milliseconds)
}
