import { ProblemError, type Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine } from '../../rules/command-line.ts'
import { faultOfPrice, parsePrice, priceText } from '../../rules/typed-price.ts'
import { Action } from '../../show/action.tsx'

/** Changes the price and the title at the marketplace. Only what a person changed is sent. */
export function ChangeOffer ({ offer: { id, connectionId, price, title } }: {
  offer: Schemas['Offer']
}): JSX.Element {
  const [typed, setTyped] = useState({ price: priceText(price), title: title ?? '' })
  // The words of the hub about a price that changes much, until the person changes the price again.
  const [doubt, setDoubt] = useState<{ price: string, isConfirmed: boolean }>()
  const isDoubted = doubt?.price === typed.price
  const body = {
    ...typed.price.trim() !== priceText(price) && { price: parsePrice(typed.price) },
    ...typed.title.trim() !== (title ?? '') && { title: typed.title.trim() },
    ...isDoubted && doubt.isConfirmed && { confirm: true }
  }

  function fault (): string | undefined {
    if (Object.keys(body).length === 0) return 'Nothing is changed.'
    if (isDoubted && !doubt.isConfirmed) return 'Confirm the price, or change it.'
    if (body.title === '') return 'An offer needs a title.'
    return typed.price.trim() === '' && price !== null ? 'An offer needs a price.' : faultOfPrice(typed.price)
  }

  return (
    <Action
      label='Change'
      scope='operate'
      title='Change the offer'
      blocked={fault}
      run={async idempotencyKey => {
        const { jobId } = await hub.post('/listings/connections/{connectionId}/offers/{offerId}/fields', {
          path: { connectionId, offerId: id },
          body,
          idempotencyKey
        }).catch((error: unknown) => {
          if (error instanceof ProblemError && error.code === 'LNK_PRICE_NOT_CONFIRMED') {
            setDoubt({ price: typed.price, isConfirmed: false })
          }
          throw error
        })
        return { text: 'The hub changes the offer at the marketplace.', href: addressOf.job(jobId) }
      }}
      cli={commandLine(['offers', 'change', id], {
        price: body.price && priceText(body.price),
        title: body.title,
        yes: body.confirm
      })}
      call={{ method: 'POST', path: `/listings/connections/${connectionId}/offers/${id}/fields`, body }}
    >
      <label>
        <span>Price</span>
        <input
          value={typed.price}
          placeholder='12.90 EUR'
          onInput={event => setTyped({ ...typed, price: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>Title</span>
        <input
          value={typed.title}
          maxLength={1_000}
          onInput={event => setTyped({ ...typed, title: event.currentTarget.value })}
        />
      </label>
      {isDoubted && (
        <label class='check'>
          <input
            type='checkbox'
            checked={doubt.isConfirmed}
            onChange={event => setDoubt({ ...doubt, isConfirmed: event.currentTarget.checked })}
          />
          Change the price from {priceText(price)} to {typed.price.trim()}
        </label>
      )}
      <p class='muted'>A member that the seller froze at the marketplace stays as it is; the job says so.</p>
    </Action>
  )
}
