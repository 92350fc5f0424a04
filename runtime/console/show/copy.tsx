import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** A button that copies a text. Browsers allow it on https and on this machine only. */
export function Copy ({ text, label = 'Copy' }: { text: string, label?: string }): JSX.Element | null {
  const [isCopied, setCopied] = useState(false)
  if (!('clipboard' in navigator)) return null

  async function copy (): Promise<void> {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }

  return (
    <button type='button' class='small' onClick={() => void copy()}>
      <Icon name={isCopied ? 'ok' : 'copy'} /> {isCopied ? 'Copied' : label}
    </button>
  )
}
