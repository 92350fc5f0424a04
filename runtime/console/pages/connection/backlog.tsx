import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { withFilter } from '../../rules/filters.ts'
import { Section } from '../../show/page.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'

type Diagnostics = Schemas['Diagnostics']

/** Jobs that do not run yet, and why. */
export function Waiting ({ diagnostics: { waiting, atMost } }: { diagnostics: Diagnostics }): JSX.Element {
  return (
    <Section title='Waiting jobs'>
      <Table
        caption={`Jobs that do not run yet, the largest group first${
          atMost.waiting ? '; only 10 000 are counted' : ''
        }`}
        rows={waiting}
        keyOf={({ reason, jobType, code }) => `${reason} ${jobType} ${code ?? ''}`}
        hrefOf={({ sampleJobId }) => addressOf.job(sampleJobId)}
        columns={[
          { head: 'Job', cell: ({ jobType }) => jobType },
          { head: 'Waits because', cell: ({ detail }) => detail },
          { head: 'Code', cell: ({ code }) => code === null ? '' : <code>{code}</code> },
          { head: 'Count', cell: ({ count }) => count, isNumber: true },
          { head: 'Oldest', cell: ({ oldestAt }) => <Ago at={oldestAt} /> },
          { head: 'Goes on', cell: ({ until }) => <Ago at={until} none='not known' /> }
        ]}
        empty={<p class='muted'>No job of this connection waits.</p>}
      />
    </Section>
  )
}

/** Dead jobs of the last days, which only a person brings back. */
export function Dead ({ diagnostics: { dead, atMost, connection } }: { diagnostics: Diagnostics }): JSX.Element | null {
  if (dead.length === 0) return null
  return (
    <Section title='Dead jobs'>
      <Table
        caption={`Dead jobs of the last 7 days by type and problem${atMost.dead ? '; only 10 000 are counted' : ''}`}
        rows={dead}
        keyOf={({ jobType, code }) => `${jobType} ${code ?? ''}`}
        hrefOf={({ jobType, code }) =>
          withFilter('/console/jobs', {
            connectionId: connection.id,
            status: 'dead',
            jobType,
            code: code ?? undefined
          })}
        columns={[
          { head: 'Job', cell: ({ jobType }) => jobType },
          { head: 'Code', cell: ({ code }) => code === null ? '' : <code>{code}</code> },
          { head: 'Count', cell: ({ count }) => count, isNumber: true },
          { head: 'First', cell: ({ firstAt }) => <Ago at={firstAt} /> },
          { head: 'Last', cell: ({ lastAt }) => <Ago at={lastAt} /> }
        ]}
        empty=''
      />
    </Section>
  )
}
