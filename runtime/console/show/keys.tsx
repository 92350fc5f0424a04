import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import { refreshAll } from '../hub/live.ts'
import { commandOf, keyActions } from '../rules/keys.ts'

const storedAs = 'linker-keys'

/** Whether single keys do something. People who speak to their computer switch them off. */
export const areKeysOn = signal(localStorage.getItem(storedAs) !== 'off')

export function switchKeys (isOn: boolean): void {
  areKeysOn.value = isOn
  localStorage.setItem(storedAs, isOn ? 'on' : 'off')
}

/** Listens to the keys of the whole page, and shows the list of them. */
export function Keys (): JSX.Element {
  const { route } = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    let isAfterG = false

    function act (event: KeyboardEvent): void {
      const isTyped = event.target instanceof Element &&
        event.target.closest('input, textarea, select, dialog') !== null
      if (!areKeysOn.value || isTyped || event.ctrlKey || event.metaKey || event.altKey) return
      const command = commandOf(event.key, isAfterG)
      isAfterG = command?.kind === 'wait'
      if (command === undefined) return
      event.preventDefault()
      if (command.kind === 'go') route(command.href)
      else if (command.kind === 'search') document.querySelector<HTMLElement>('#search')?.focus()
      else if (command.kind === 'help') dialog.current?.showModal()
      else if (command.kind === 'refresh') refreshAll()
      else if (command.kind === 'next') focusRow(1)
      else if (command.kind === 'previous') focusRow(-1)
    }

    addEventListener('keydown', act)
    return () => removeEventListener('keydown', act)
  }, [route])

  return (
    <dialog ref={dialog} aria-label='Keys'>
      <h2>Keys</h2>
      <dl class='keys'>
        {keyActions.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label class='check'>
        <input
          type='checkbox'
          checked={areKeysOn.value}
          onChange={event => switchKeys(event.currentTarget.checked)}
        />
        Single keys are on
      </label>
      <footer class='actions'>
        <button type='button' onClick={() => dialog.current?.close()}>Close</button>
      </footer>
    </dialog>
  )
}

function focusRow (step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main a.row')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at === -1 && step < 0 ? rows.length - 1 : at + step
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus()
}
