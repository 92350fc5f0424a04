import { parseRemedies, type Remedy } from '../rules/remedies.ts'

let loading: Promise<Map<string, Remedy>> | undefined

/** Loads the table of errors when a page first shows an error. */
export async function remedyOf (code: string): Promise<Remedy | undefined> {
  loading ??= import('../../docs/errors.md').then(({ default: text }) => parseRemedies(text))
  return (await loading).get(code)
}
