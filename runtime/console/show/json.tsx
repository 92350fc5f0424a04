import type { JSX } from 'preact'
import { Copy } from './copy.tsx'

/** A value as JSON. It is folded unless `isOpen`. */
export function Json ({ title, value, isOpen = false }: {
  title: string,
  value: unknown,
  isOpen?: boolean
}): JSX.Element {
  const text = JSON.stringify(value, null, 2)
  return (
    <details class='json' open={isOpen}>
      <summary>{title}</summary>
      <Copy text={text} />
      <pre tabIndex={0}>{text}</pre>
    </details>
  )
}
