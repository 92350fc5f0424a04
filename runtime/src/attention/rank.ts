import { attentionSeverities, type AttentionItem, type AttentionKind } from './schemas.ts'

/** A reason for most of the others, so it comes before those of its severity. */
const gravest: AttentionKind = 'no-worker'

/** Puts the gravest items first; of one severity the oldest, and last those of unknown age. */
export function rank (items: readonly AttentionItem[]): AttentionItem[] {
  return items.toSorted((a, b) =>
    attentionSeverities.indexOf(a.severity) - attentionSeverities.indexOf(b.severity) ||
    Number(b.kind === gravest) - Number(a.kind === gravest) ||
    compareTexts(a.since ?? '9', b.since ?? '9') ||
    compareTexts(a.key, b.key)
  )
}

function compareTexts (a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
