import type { Examples } from '../http/description/examples.ts'

export const hintExamples: Examples = {
  bodies: {},
  answers: { streamHints: 'event: changed\ndata: {"kind":"jobs"}\n\n' }
}
