import type { ComponentChildren, JSX } from 'preact'
import { At } from './time.tsx'

// The form in which the hub writes a time into a sentence.
const instant = /(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)/

/** A sentence of the hub; its pieces between backticks are code, and its times are local ones. */
export function Prose ({ text }: { text: string }): JSX.Element {
  return (
    <>
      {text.split('`').map((piece, index) => index % 2 === 1 ? <code key={index}>{piece}</code> : timed(piece))}
    </>
  )
}

function timed (text: string): ComponentChildren {
  return text.split(instant).map((piece, index) => index % 2 === 1 ? <At key={index} at={piece} /> : piece)
}
