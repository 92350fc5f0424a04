import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import { addressOf } from '../rules/addresses.ts'
import { readLimits } from '../rules/limits.ts'
import { Action } from '../show/action.tsx'

/** Changes how much of the stock an offer shows. */
export function LimitOffer ({ id, buffer, maxListed, isPrimary = false }: {
  id: string,
  buffer: number,
  maxListed: number | null,
  isPrimary?: boolean
}): JSX.Element {
  const [fields, setFields] = useState({ buffer: String(buffer), maxListed: String(maxListed ?? '') })
  const limits = readLimits(fields)
  const body = 'problem' in limits ? { buffer, maxListed } : limits

  return (
    <Action
      label='Limits'
      scope='operate'
      title='Limit what the offer shows'
      confirm='Change the limits'
      isPrimary={isPrimary}
      blocked={() => 'problem' in limits ? limits.problem : undefined}
      run={async () => {
        const changed = await hub.patch('/offers/{id}', { path: { id }, body })
        const most = changed.maxListed === null ? 'no upper limit' : `at most ${changed.maxListed}`
        return {
          text: `Limits are changed: buffer ${changed.buffer}, ${most}. The hub writes the new quantity.`,
          href: addressOf.offer(id)
        }
      }}
      cli={`linker offers limit ${id} --buffer ${body.buffer} --max-listed ${body.maxListed ?? 'none'}`}
      call={{ method: 'PATCH', path: `/offers/${id}`, body }}
    >
      <label>
        <span>Buffer</span>
        <input
          inputMode='numeric'
          value={fields.buffer}
          onInput={event => setFields({ ...fields, buffer: event.currentTarget.value })}
        />
        <span class='muted'>Pieces of the stock that the offer does not show</span>
      </label>
      <label>
        <span>At most</span>
        <input
          inputMode='numeric'
          value={fields.maxListed}
          onInput={event => setFields({ ...fields, maxListed: event.currentTarget.value })}
        />
        <span class='muted'>Largest quantity that the offer shows; empty: no limit</span>
      </label>
    </Action>
  )
}
