import type { JSX } from 'preact'
import { valueText, type MemberChange } from '../rules/config-diff.ts'
import { Table } from './table.tsx'

/** Members with two values each: before and after, or those of two people. */
export function Diff ({ caption, changes, from = 'Before', to = 'After' }: {
  caption: string,
  changes: readonly MemberChange[],
  from?: string,
  to?: string
}): JSX.Element {
  return (
    <Table
      caption={caption}
      rows={changes}
      keyOf={({ pointer }) => pointer}
      columns={[
        { head: 'Member', cell: ({ pointer }) => <code>{pointer}</code> },
        { head: from, cell: change => <code class='removed'>{valueText(change.from, change.isSecret)}</code> },
        { head: to, cell: change => <code class='added'>{valueText(change.to, change.isSecret)}</code> }
      ]}
      empty={<p class='muted'>No member of the config changes.</p>}
    />
  )
}
