import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { duration } from '../../rules/times.ts'
import { Section } from '../../show/page.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'

/** How far the hub has read the platform. */
export function Cursors ({ connection: { id }, cursors }: {
  connection: Schemas['Connection'],
  cursors: Schemas['Diagnostics']['cursors']
}): JSX.Element | null {
  if (cursors.length === 0) return null
  return (
    <Section title='Cursors'>
      <Table
        caption='How far the hub has read the platform'
        rows={cursors}
        keyOf={({ cursorKey }) => cursorKey}
        columns={[
          { head: 'Cursor', cell: ({ cursorKey }) => <code>{cursorKey}</code> },
          { head: 'Moved', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
          { head: 'Age', cell: ({ ageSeconds }) => duration(ageSeconds * 1_000), isNumber: true }
        ]}
        empty=''
      />
      <p class='muted'>
        <code>linker connections cursors list {id}</code> shows the positions, and sets or resets one.
      </p>
    </Section>
  )
}
