import { shellWord } from './shell.ts'

type OptionValue = string | number | boolean | null | undefined

/**
 * A command of `linker` for a shell. An option that is true stands without a value; one that is
 * false, null or undefined is left out.
 */
export function commandLine (
  words: readonly string[],
  options: Readonly<Record<string, OptionValue>> = {}
): string {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === null || value === false) return []
    return value === true ? [`--${name}`] : [`--${name} ${shellWord(String(value))}`]
  })
  return ['linker', ...words.map(shellWord), ...given].join(' ')
}

/** Which jobs, as options of `linker jobs`. */
export function jobOptions ({ connectionId, jobType, code, objectKey, offerId, orderId, since, until }: {
  connectionId?: string | undefined,
  jobType?: string | undefined,
  code?: string | undefined,
  objectKey?: string | undefined,
  offerId?: string | undefined,
  orderId?: string | undefined,
  since?: string | undefined,
  until?: string | undefined
}): Record<string, string | undefined> {
  return {
    connection: connectionId,
    type: jobType,
    code,
    object: objectKey,
    offer: offerId,
    order: orderId,
    since,
    until
  }
}
