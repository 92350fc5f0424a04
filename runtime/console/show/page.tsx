import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { pageTitle } from './title.ts'

let isFirst = true

interface PageProps {
  title: string
  /** The question that the page answers, or what the object is. */
  lead?: ComponentChildren
  /** Links to the pages above: name and address. */
  above?: readonly (readonly [name: string, href: string])[]
  actions?: ComponentChildren
  children: ComponentChildren
}

/** The frame of a page. Its heading takes the focus, so that a screen reader reads the new page. */
export function Page ({ title, lead, above = [], actions, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    // When the browser loads the console, the focus stays where browsers begin.
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  useEffect(() => {
    pageTitle.value = title
  }, [title])

  return (
    <>
      {above.length > 0 && (
        <nav class='above' aria-label='Breadcrumb'>
          {above.map(([name, href]) => <a key={href} href={href}>{name}</a>)}
        </nav>
      )}
      <header class='page'>
        <div>
          <h1 ref={heading} tabIndex={-1}>{title}</h1>
          {lead !== undefined && <p class='lead'>{lead}</p>}
        </div>
        {actions !== undefined && <div class='actions'>{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** A part of a page with its own heading. */
export function Section ({ title, actions, children }: {
  title: string,
  actions?: ComponentChildren,
  children: ComponentChildren
}): JSX.Element {
  return (
    <section class='card'>
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div class='actions'>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
