// Messages between the runner and a process that runs test files, beside the TAP of that process.

const filesVariable = 'LINKER_TEST_FILES'
const lingerVariable = 'LINKER_TEST_LINGER_MS'

/**
 * Not as arguments: tap names the folders of `t.testdir` after those, and the names would become
 * too long.
 */
export function variablesFor (files: readonly string[], lingerMs: number): NodeJS.ProcessEnv {
  return { [filesVariable]: JSON.stringify(files), [lingerVariable]: String(lingerMs) }
}

export function filesOf (environment: NodeJS.ProcessEnv): string[] {
  return JSON.parse(environment[filesVariable] ?? '[]') as string[]
}

/** How long something that a file left open may hold the process when all files have ended. */
export const lingerMsOf = (environment: NodeJS.ProcessEnv): number => Number(environment[lingerVariable])
/** How a process ends that was held for longer. tap's own codes are 0 and 1. */
export const heldOpenCode = 3

/** A line of standard error: what follows belongs to this file. */
export const fileMarker = (file: string): string => `--- ${file} ---`
const marked = /^--- (.+) ---$/

export const readFileMarker = (line: string): string | undefined => marked.exec(line)?.[1]

/** A TAP comment: the processor time of the file that has just ended. */
export const cpuComment = (milliseconds: number): string => `cpu ${milliseconds} ms`
const timed = /^# cpu (\d+) ms$/m

export function readCpuComment (comment: string): number | undefined {
  const [, milliseconds] = timed.exec(comment) ?? []
  return milliseconds === undefined ? undefined : Number(milliseconds)
}
