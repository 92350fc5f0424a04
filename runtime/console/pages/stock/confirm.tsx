import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { Action } from '../../show/action.tsx'

/** Lets the offers of a variant follow its stock, which has jumped. */
export function ConfirmStock ({ stock: { variantId, quantity, confirmedQuantity } }: {
  stock: Schemas['Stock']
}): JSX.Element {
  const body = { variantId }
  return (
    <Action
      label='Confirm the stock'
      scope='operate'
      title='Confirm the stock'
      isPrimary
      run={async () => {
        const { jobIds } = await hub.post('/stock/confirm', { body })
        return { text: jobIds.length === 0 ? 'Nothing waits any more.' : 'The offers follow the stock now.' }
      }}
      cli={`linker stock confirm ${variantId}`}
      call={{ method: 'POST', path: '/stock/confirm', body }}
    >
      <p>
        The shop says <strong>{quantity}</strong>. The offers go by{' '}
        <strong>{confirmedQuantity}</strong>, because the stock grew by more than the setting of the shop lets pass. If
        the number is wrong, correct it in the shop instead.
      </p>
    </Action>
  )
}
