import type { Description } from '@linker/sdk'
import { toAllowedHtml } from './allowed-html.ts'

/** Rewrites the description for the marketplace. Answers undefined when no text is left. */
export function toUpstreamDescription ({ sections }: Description): Description | undefined {
  const rewritten = sections.map(({ items }) => ({ items: toUpstreamItems(items) }))
  const filled = rewritten.filter(({ items }) => items.length > 0)
  return filled.length === 0 ? undefined : { sections: filled }
}

function toUpstreamItems (items: Description['sections'][number]['items']): typeof items {
  return items
    .map(({ type, content }) => ({ type, content: toAllowedHtml(content) }))
    .filter(({ content }) => content !== '')
}
