import type { Config } from '../config.ts'
import { addressOf, consolePath, signInPath } from './console-address.ts'

export interface ConsoleLineOptions extends Pick<Config, 'console' | 'role' | 'publicUrl'> {
  hubUrl: string
  /** Whether a person reads the line, and no log keeps it. */
  isTerminal: boolean
  /** Makes a sign-in code of the hub's own token. */
  makeCode(this: void): Promise<{ code: string }>
  log: { warn(fields: object, message: string): void }
}

/**
 * The line of a starting hub that leads to the console. On a terminal its address signs a person
 * in. Elsewhere the line may end in a log, which must not have a code. Returns undefined when the
 * process serves no console.
 */
export async function describeConsole (options: ConsoleLineOptions): Promise<string | undefined> {
  const { role, publicUrl, hubUrl, isTerminal, makeCode, log } = options
  if (!options.console || role === 'worker') return undefined
  const lineTo = (path: string): string => `Console    ${addressOf(path, hubUrl, publicUrl)}`
  if (!isTerminal) return lineTo(consolePath)
  try {
    const { code } = await makeCode()
    return `${lineTo(signInPath(code))}  (signs in once, within 10 minutes)`
  } catch (error) {
    // The hub serves already, and must not stop for want of a link.
    log.warn({ err: error }, 'making a sign-in link failed; `linker console` makes one')
    return lineTo(consolePath)
  }
}
