import type { JSX } from 'preact'
import { railOf, type RailStep } from '../../rules/order-states.ts'
import { stateWord } from '../../rules/state-word.ts'
import { Icon, type IconName } from '../../show/icon.tsx'

const icons: Readonly<Record<RailStep['state'], IconName>> = {
  past: 'ok',
  now: 'running',
  troubled: 'warning',
  stopped: 'error',
  next: 'waiting'
}

/** The way of an order, with the state that it is in. */
export function Rail ({ status, problems }: { status: string, problems: readonly string[] }): JSX.Element {
  return (
    <ol class='rail' aria-label='Way of the order'>
      {railOf(status, problems).map(({ name, word, state }) => (
        <li key={name} class={state} aria-current={state === 'past' || state === 'next' ? undefined : 'step'}>
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
