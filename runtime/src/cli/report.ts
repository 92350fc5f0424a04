import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { ConnectionView } from '../connections/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { withHub } from './connections.ts'
import { examine } from './doctor.ts'
import { messageOf } from './doctor/finding.ts'
import { createHubClient, HubError, type HubOptions } from './hub-client.ts'
import { writeBundle } from './report/bundle.ts'
import { doctorFacts } from './report/facts.ts'
import { createMask, secretsOf } from './report/mask.ts'
import { hubSections, ownSections, readSection, type Section } from './report/sections.ts'

interface ReportOptions extends HubOptions {
  out?: string
}

const readme = `A report about a Linker hub, made by \`linker report\`.

It has versions, the result of each check of \`linker doctor\`, the names of settings, and of a running
hub: what runs, its connections without names and values, their diagnostics, the kinds of what needs a
person, dead jobs and figures. It leaves out credentials, values of settings, addresses, names of
machines, payloads, results, and all texts that platforms, adapters and people wrote. Look through it
before you pass it on.
`

/** `linker report`. */
export function addReport (program: Command): void {
  withHub(program.command('report')
    .description('write a report for support into a file that only you can read: versions, findings, figures and ' +
      'failures, without secrets, payloads and names; works with and without a running hub')
    .option('--out <file>', 'the file to write, which must not exist; default: linker-report-<time>.tar.gz'))
    .action(async ({ out, ...options }: ReportOptions) => {
      const now = new Date()
      const path = resolve(out ?? `linker-report-${now.toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`)
      const { files, missing } = await collect(options, now, createProgress(process.stderr))
      await writeBundle(path, files).catch((error: unknown) => {
        throw new HubError(`cannot write the report: ${messageOf(error)}`)
      })
      print([
        escapeUnprintable(path),
        `${files.size} files, readable by you only. Look through them before you pass them on.`,
        ...missing.map(why => escapeUnprintable(`Not in it: ${why}`))
      ].join('\n'))
      // End the process here: the import of an adapter may have left a timer or a socket behind.
      process.exit(0)
    })
}

async function collect (
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
