import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { Icon } from '../../show/icon.tsx'

/** The problems and the warnings of an offer. */
export function Notes ({ offer: { problems, warnings } }: { offer: Schemas['Offer'] }): JSX.Element | null {
  if (problems.length + warnings.length === 0) return null
  return (
    <ul class='notes'>
      {problems.map(detail => (
        <li key={detail} class='bad-text'>
          <Icon name='error' /> {detail}
        </li>
      ))}
      {warnings.map(({ code, message }) => (
        <li key={code} class='warn-text'>
          <Icon name='warning' /> {message}
        </li>
      ))}
    </ul>
  )
}
