import { escapeUnprintable, platformTypePattern, printablePattern, reservedPlatformTypes } from '@linker/sdk/host/text'
import { basename, resolve } from 'node:path'
import { isRole, roleNames, type Role } from './roles.ts'

/** The decisions of the author. */
export interface Answers {
  /** An absolute path. */
  directory: string
  role: Role
  platform: string
  displayName: string
}

/** The answers as the command line or the prompts give them. */
export interface Given {
  folder?: string | undefined
  role?: string | undefined
  platform?: string | undefined
  displayName?: string | undefined
}

/** A reason to make nothing, as a sentence for the author. */
export class Refusal extends Error {
  constructor (message: string) {
    super(escapeUnprintable(message))
  }
}

const choice = new Intl.ListFormat('en', { type: 'disjunction' }).format(roleNames)

/** Says why a text cannot be the platform; undefined when it can. */
export function platformProblem (platform: string): string | undefined {
  if (reservedPlatformTypes.includes(platform)) {
    return `'${platform}' cannot be the platform: the hub needs this name for its own jobs`
  }
  return new RegExp(platformTypePattern).test(platform)
    ? undefined
    : `'${platform}' cannot be the platform: it must be a lower-case letter and up to 31 more of a-z, 0-9 and -`
}

/** Says why a text cannot be the display name; undefined when it can. */
export function displayNameProblem (displayName: string): string | undefined {
  if (displayName.trim() === '') return 'the display name is empty'
  if (displayName.length > 100) return 'the display name has more than 100 characters'
  return new RegExp(printablePattern).test(displayName) ? undefined : 'the display name has a control character'
}

/** The name of the folder. It may be one that no platform can have. */
export const platformOf = (folder: string, cwd: string): string => basename(resolve(cwd, folder))

/** `My Shop` for `my-shop`. */
export function displayNameOf (platform: string): string {
  const words = platform.split('-').filter(word => word !== '')
  return words.map(word => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ')
}

/** Throws a `Refusal` for the first thing that is given and wrong. */
export function checkGiven ({ role, platform, displayName }: Given): void {
  if (role !== undefined && !isRole(role)) throw new Refusal(`--role '${role}' is unknown: use ${choice}`)
  const problem = (platform === undefined ? undefined : platformProblem(platform)) ??
    (displayName === undefined ? undefined : displayNameProblem(displayName))
  if (problem !== undefined) throw new Refusal(problem)
}

/** Whether the other answers follow from the given ones. */
export function isComplete ({ folder, role, platform }: Given, cwd: string): boolean {
  return folder !== undefined && role !== undefined &&
    platformProblem(platform ?? platformOf(folder, cwd)) === undefined
}

/** Adds the answers that follow from the given ones. Throws a `Refusal` when one is missing. */
export function completeAnswers (given: Given, cwd: string): Answers {
  checkGiven(given)
  const { folder, role } = given
  if (folder === undefined) throw new Refusal('the folder is missing: name a new one, such as my-shop')
  if (role === undefined || !isRole(role)) throw new Refusal(`--role is missing: use ${choice}`)
  const { platform = platformOf(folder, cwd) } = given
  const problem = platformProblem(platform)
  if (problem !== undefined) throw new Refusal(`${problem}. Name another with --platform`)
  return { directory: resolve(cwd, folder), role, platform, displayName: given.displayName ?? displayNameOf(platform) }
}
