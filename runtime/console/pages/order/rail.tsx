import type { JSX } from 'preact'
import { railOf, type RailStep } from '../../rules/order-states.ts'
import { stateWord } from '../../rules/state-word.ts'
import { Icon, type IconName } from '../../show/icon.tsx'

const icons: Readonly<Record<RailStep['state'], IconName>> = {
  past: 'ok',
  now: 'running',
  stopped: 'error',
  next: 'waiting'
}

/** The way of an order, with the state that it is in. */
export function Rail ({ status }: { status: string }): JSX.Element {
  return (
    <ol class='rail' aria-label='Way of the order'>
      {railOf(status).map(({ name, word, state }) => (
        <li key={name} class={state} aria-current={state === 'now' || state === 'stopped' ? 'step' : undefined}>
          <Icon name={icons[state]} />
          <span>
            <strong>{stateWord(name)}</strong>
            <span class='word'>{word}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
