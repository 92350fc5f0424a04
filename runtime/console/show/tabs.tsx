import type { JSX } from 'preact'

/** The parts of a page. Each has an address of its own. */
export function Tabs<Name extends string> ({ label, here, tabs }: {
  label: string,
  here: Name,
  tabs: readonly (readonly [name: Name, title: string, href: string])[]
}): JSX.Element {
  return (
    <nav class='tabs' aria-label={label}>
      {tabs.map(([name, title, href]) => (
        <a key={name} href={href} aria-current={name === here ? 'page' : undefined}>{title}</a>
      ))}
    </nav>
  )
}
