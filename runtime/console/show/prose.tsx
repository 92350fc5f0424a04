import type { JSX } from 'preact'

/** A sentence of the hub; its pieces between backticks are code. */
export function Prose ({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split('`').map((piece, index) => index % 2 === 1 ? <code key={index}>{piece}</code> : piece)}
    </>
  )
}
