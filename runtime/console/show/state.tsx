import type { JSX } from 'preact'
import { stateWord } from '../rules/state-word.ts'
import { toneOf, type Tone } from '../rules/tones.ts'
import { Icon, type IconName } from './icon.tsx'

const icons: Readonly<Record<Tone, IconName>> = {
  good: 'ok',
  bad: 'error',
  warn: 'warning',
  busy: 'running',
  wait: 'waiting',
  idle: 'off',
  info: 'info'
}

/** A state as a word with an icon and a colour; the word alone is enough. */
export function State ({ name, tone = toneOf(name), title }: {
  name: string,
  tone?: Tone,
  title?: string | undefined
}): JSX.Element {
  return (
    <span class={`state ${tone}`} title={title}>
      <Icon name={icons[tone]} /> {stateWord(name)}
    </span>
  )
}
