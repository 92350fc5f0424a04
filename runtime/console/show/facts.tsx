import type { ComponentChildren, JSX } from 'preact'

type Fact = readonly [name: string, value: ComponentChildren]

/** Names and values of one object. Facts without a value are left out. */
export function Facts ({ of }: { of: readonly Fact[] }): JSX.Element {
  return (
    <dl class='facts'>
      {of.filter(hasValue).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function hasValue ([, value]: Fact): boolean {
  return value !== undefined && value !== null && value !== false && value !== ''
}
