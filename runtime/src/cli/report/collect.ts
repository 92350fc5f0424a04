import { homedir } from 'node:os'
import type { ConnectionView } from '../../connections/schemas.ts'
import type { Progress } from '../../terminal/progress.ts'
import { examine } from '../doctor/examine.ts'
import { messageOf } from '../doctor/finding.ts'
import { createHubClient, type HubOptions } from '../hub-client.ts'
import { doctorFacts } from './facts.ts'
import { createMask, secretsOf } from './mask.ts'
import { hubSections, ownSections, readSection, type Section } from './sections.ts'

const readme = `A report about a Linker hub, made by \`linker report\`.

It has versions, the result of each check of \`linker doctor\`, the names of settings, and of a running
hub: what runs, its connections without names and values, their diagnostics, the kinds of what needs a
person, dead jobs and figures. It leaves out credentials, values of settings, addresses, names of
machines, payloads, results, and all texts that platforms, adapters and people wrote. Look through it
before you pass it on.
`

/** Reads the files of a report. `missing` says why some are not there. */
export async function collect (
  options: HubOptions,
  now: Date,
  progress: Progress
): Promise<{ files: ReadonlyMap<string, string>, missing: string[] }> {
  const secrets = [...secretsOf(process.env), ...(options.token === undefined ? [] : [options.token])]
  const mask = createMask(secrets, homedir())
  const files = new Map([['README.txt', readme]])
  const missing: string[] = []
  const sections: Section[] = [
    ...ownSections(process.env, process.cwd()),
    { name: 'doctor.json', read: async () => (await examine(options)).map(doctorFacts) }
  ]
  try {
    const hub = await createHubClient(process.env, process.cwd(), options)
    sections.push(...hubSections(hub, await hub.list('/connections') as ConnectionView[], now))
  } catch (error) {
    missing.push(`what a running hub tells (${mask(messageOf(error))})`)
  }
  for (const section of sections) {
    progress(`reading ${section.name}`)
    const found = await readSection(section)
    files.set(section.name, `${mask(JSON.stringify(found, null, 2))}\n`)
  }
  return { files, missing }
}
