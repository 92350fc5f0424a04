import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { fromJson, type Values } from './values-of.ts'

/** Fills a form from JSON, for settings that somebody has as a text, or that have no field. */
export function PasteJson ({ onPaste, isOpen = false }: {
  onPaste: (values: Values) => void,
  isOpen?: boolean
}): JSX.Element {
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()

  function fill (): void {
    const read = fromJson(text)
    if ('problem' in read) return setProblem(read.problem)
    setProblem(undefined)
    setText('')
    onPaste(read.values)
  }

  return (
    <details class='paste' open={isOpen}>
      <summary>Paste JSON</summary>
      <div class='field'>
        <label>
          <span>All settings of this form as JSON</span>
          <textarea
            spellcheck={false}
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-about`}
            onInput={event => setText(event.currentTarget.value)}
          />
        </label>
        <div id={`${id}-about`} class='about'>{problem !== undefined && <p class='fault'>{problem}</p>}</div>
        <div class='actions'>
          <button type='button' class='small' disabled={text.trim() === ''} onClick={fill}>Fill in</button>
        </div>
      </div>
    </details>
  )
}
