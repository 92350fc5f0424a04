import { ConfigurationError } from '../errors.ts'

const shortName = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/

/** Whether a text may name an area of a platform. */
export function isArea (name: unknown): name is string {
  return typeof name === 'string' && shortName.test(name)
}

/** Returns the area of a request as a member, without one for a request that names none. */
export function checkedArea (area: string | undefined): { area?: string } {
  if (area === undefined) return {}
  if (isArea(area)) return { area }
  throw new ConfigurationError(`the area of a request has at most 32 lower-case letters, digits and hyphens: ${
    JSON.stringify(area).slice(0, 80)
  }`)
}
