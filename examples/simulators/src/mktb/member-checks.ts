import { invalid } from './errors.ts'
import type { ProductMembers } from './products.ts'

const allowedMarkup = /<\/?(?:h[123]|p|b|ol|ul|li)>|<br\/>/g

/**
 * Checks the members beyond types and lengths: the markup of a structured description, and the
 * attributes that a variant group names.
 */
export function checkMembers (members: ProductMembers, stored: ProductMembers = {}): void {
  for (const content of textsOf(members.description)) {
    const [refused] = /<[^>]*>?|>/.exec(content.replaceAll(allowedMarkup, '')) ?? []
    if (refused !== undefined) {
      throw invalid({
        path: '/description',
        message: `contains markup that is not allowed: "${refused.slice(0, 40)}"`
      })
    }
  }

  const group = members.externalVariantGroup as { source: string, attributes: Array<number | 'thumbnail'> } | undefined
  if (group?.source !== 'integration') return
  const attributes = (members.externalAttributes ?? stored.externalAttributes ?? []) as Array<{ index?: number }>
  const unknown = group.attributes.find(index =>
    index !== 'thumbnail' && !attributes.some(attribute => attribute.index === index)
  )
  if (unknown !== undefined) {
    throw invalid({
      path: '/externalVariantGroup/attributes',
      message: `names ${unknown}, which is the index of no external attribute`
    })
  }
}

function textsOf (description: unknown): string[] {
  if (typeof description !== 'object' || description === null) return []
  const { sections = [] } = description as { sections?: Array<{ items?: Array<{ content?: string }> }> }
  return sections.flatMap(({ items = [] }) => items.flatMap(({ content }) => content ?? []))
}
