import type { JSX } from 'preact'
import { shownChange, type AuditEntry } from '../../rules/audit.ts'

/** The changed members: each with its value before, struck out, and after. */
export function Changes ({ of }: { of: AuditEntry['changes'] }): JSX.Element | null {
  if (of.length === 0) return null
  return (
    <ul class='changes'>
      {of.map(shownChange).map(({ name, before, after, isSecret }) => (
        <li key={name}>
          <code>{name}</code> {isSecret && <span class='muted'>another secret</span>}
          {before !== undefined && <del>{before}</del>} {after !== undefined && <ins>{after}</ins>}
        </li>
      ))}
    </ul>
  )
}
