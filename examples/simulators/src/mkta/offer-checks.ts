import type { Problem } from './errors.ts'
import type { OfferMembers } from './offer.ts'

const sizeCode = 'ConstraintViolationException.Size'

/** Returns the faults of the members that a request names. `available`: the stock that it keeps. */
export function problemsOf (
  { name, description, external, publication, stock }: OfferMembers,
  available: number
): Problem[] {
  const problems: Problem[] = []
  const fault = name === undefined ? undefined : faultOfName(name)
  if (fault !== undefined) problems.push({ ...fault, path: 'name' })
  if (external && external.id.length > 100) {
    problems.push({ code: sizeCode, message: 'external.id has at most 100 characters', path: 'external.id' })
  }
  const bytes = Buffer.byteLength(JSON.stringify(description?.sections ?? ''))
  if (bytes > 40_000) {
    problems.push({ code: sizeCode, message: 'description has at most 40000 bytes', path: 'description' })
  }
  for (const [row, { items }] of description?.sections.entries() ?? []) {
    for (const [column, item] of items.entries()) {
      const message = problemOf(item)
      const path = `description.sections[${row}].items[${column}]`
      if (message !== undefined) problems.push({ code: 'ConstraintViolationException', message, path })
    }
  }
  if (publication?.status === 'ACTIVE' && (stock?.available ?? available) === 0) {
    problems.push({
      code: 'ConstraintViolationException',
      message: 'Incorrect initial quantity of stock.',
      path: 'stock.available'
    })
  }
  return problems
}

function faultOfName (name: string): Omit<Problem, 'path'> | undefined {
  if (name.trim() === '') return { code: 'ConstraintViolationException.NotBlank', message: 'name may not be blank' }
  if (name.length < 12 || name.length > 75) return { code: sizeCode, message: 'name has 12 to 75 characters' }
  if (name.trim().split(/\s+/).length < 3) return { code: 'ConstraintViolationException', message: 'name has 3 words' }
}

function problemOf ({ type, content, url }: { type: string, content?: string, url?: string }): string | undefined {
  if (type === 'IMAGE') return url === undefined ? 'an image needs its url' : undefined
  if (content === undefined) return 'a text needs its content'
  if (!isMarkup(content)) return 'description has markup that is not allowed'
}

// Allowed: blocks of h1, h2, p or a list, with b only inside p and li. Refused: attributes, text
// outside a block, and & unless it begins an entity.
function isMarkup (content: string): boolean {
  const text = '(?:[^<>&]|&(?:#\\d+|#x[\\da-fA-F]+|[a-zA-Z]+);)'
  const inner = `(?:${text}|<b>${text}*</b>)*`
  const heading = `<h([12])>${text}*</h\\1>`
  const paragraph = `<p>${inner}</p>`
  const list = `<(ul|ol)>(?:\\s*<li>${inner}</li>)*\\s*</\\2>`
  return new RegExp(`^(?:\\s*(?:${heading}|${paragraph}|${list}))*\\s*$`).test(content)
}
