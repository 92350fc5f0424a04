import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Icon } from './icon.tsx'

const storedAs = 'linker-theme'
const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const stored = localStorage.getItem(storedAs)
export const theme = signal<Theme>(themes.find(name => name === stored) ?? 'auto')
apply(theme.value)

function apply (name: Theme): void {
  document.documentElement.dataset.theme = name
}

/** Dark, light, or as the system says. */
export function ThemeSwitch (): JSX.Element {
  function choose (name: Theme): void {
    theme.value = name
    localStorage.setItem(storedAs, name)
    apply(name)
  }

  return (
    <label class='theme'>
      <Icon name='theme' />
      <span class='hidden'>Theme</span>
      <select value={theme.value} onChange={event => choose(event.currentTarget.value as Theme)}>
        {themes.map(name => <option key={name} value={name}>{name}</option>)}
      </select>
    </label>
  )
}
