import { parseRemedies, type Remedy } from '../rules/remedies.ts'

let loading: Promise<Map<string, Remedy>> | undefined

/** Loads the table of errors when a page first shows an error. */
export async function remedyOf (code: string): Promise<Remedy | undefined> {
  loading ??= load()
  // The next error tries again.
  loading.catch(() => {
    loading = undefined
  })
  return (await loading).get(code)
}

async function load (): Promise<Map<string, Remedy>> {
  const answer = await fetch('/console/errors.md')
  if (!answer.ok) throw new Error(`/console/errors.md answered ${answer.status}`)
  return parseRemedies(await answer.text())
}
