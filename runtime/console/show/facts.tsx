import type { ComponentChildren, JSX } from 'preact'

/** Names and values of one object. Facts without a value are left out. */
export function Facts ({ of }: { of: readonly (readonly [name: string, value: ComponentChildren])[] }): JSX.Element {
  return (
    <dl class='facts'>
      {of.filter(([, value]) => value !== undefined && value !== null && value !== '').map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
