import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Icon } from './icon.tsx'

/** How an action ended: a sentence about what changed, with a link to it. */
export interface Outcome {
  text: string
  href?: string | undefined
  /** The page to open, when the object of this one is gone. */
  opens?: string | undefined
  isBad?: boolean
}

const shown = signal<(Outcome & { id: number }) | undefined>(undefined)
const shownMs = 12_000
let last = 0

export function tell (outcome: Outcome): void {
  const id = last += 1
  shown.value = { ...outcome, id }
  setTimeout(() => {
    if (shown.value?.id === id) shown.value = undefined
  }, shownMs)
}

/** The place of the last outcome; screen readers read it when it changes. */
export function Toast (): JSX.Element {
  const { value: outcome } = shown
  return (
    <output class='toast'>
      {outcome !== undefined && (
        <div class={`note ${outcome.isBad === true ? 'bad' : 'good'}`}>
          <Icon name={outcome.isBad === true ? 'error' : 'ok'} />
          <p>
            {outcome.text} {outcome.href !== undefined && <a href={outcome.href}>Look</a>}
          </p>
          <button
            type='button'
            class='bare'
            aria-label='Close'
            onClick={() => {
              shown.value = undefined
            }}
          >
            <Icon name='close' />
          </button>
        </div>
      )}
    </output>
  )
}
