import type { Description } from '@linker/sdk'
import { toAllowedHtml } from './allowed-html.ts'

/** The description in the form that the marketplace takes; undefined when no text is left of it. */
export function toUpstreamDescription ({ sections }: Description): Description | undefined {
  const reduced = sections
    .map(({ items }) => ({
      items: items.map(({ type, content }) => ({ type, content: toAllowedHtml(content) })).filter(({ content }) =>
        content !== ''
      )
    }))
    .filter(({ items }) => items.length > 0)
  return reduced.length === 0 ? undefined : { sections: reduced }
}
