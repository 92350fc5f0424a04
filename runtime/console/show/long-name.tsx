import type { JSX } from 'preact'

/** A name of many parts, such as a job type or a code. It breaks behind a dot or an underscore. */
export function LongName ({ name }: { name: string }): JSX.Element {
  const parts = name.split(/(?<=[._])/)
  return (
    <span class='long-name'>
      {parts.map((part, index) => (
        <span key={`${index} ${part}`}>
          {part}
          <wbr />
        </span>
      ))}
    </span>
  )
}
