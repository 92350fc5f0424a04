import type { Schemas } from '@linker/client'
import type { Tone } from './tones.ts'

export type Call = NonNullable<Schemas['Job']['attempts'][number]['calls']>[number]

/** The status that a platform answered, or why no complete answer came. */
export function answerOf ({ status, error }: Pick<Call, 'status' | 'error'>): string {
  return [status, error].filter(part => part !== null && part !== undefined).join(' ') || 'no answer'
}

export function toneOfAnswer ({ status, error }: Pick<Call, 'status' | 'error'>): Tone {
  if (status === null || error !== undefined || status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return 'good'
}
