import type { JSX } from 'preact'
import { Copy } from '../../show/copy.tsx'
import { Icon } from '../../show/icon.tsx'

export interface Made {
  name: string
  token: string
}

/** The new token, until the person has stored it. Nothing keeps it: after a reload it is gone. */
export function MadeToken ({ made: { name, token }, onStored }: { made: Made, onStored: () => void }): JSX.Element {
  return (
    <div class='note warn made'>
      <Icon name='warning' />
      <div>
        <p>
          This is the token of{' '}
          <strong>{name}</strong>. Store it now: the hub keeps only its hash and cannot show it again.
        </p>
        <pre tabIndex={0} aria-label='Token'>{token}</pre>
        <p class='actions'>
          <Copy text={token} label='Copy token' />
          <button type='button' class='small' onClick={onStored}>I have stored it</button>
        </p>
      </div>
    </div>
  )
}
