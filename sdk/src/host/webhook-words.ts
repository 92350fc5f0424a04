import { must, type Look } from './look.ts'

/**
 * Lower-case words between dots. Names that every JavaScript object has are not allowed. The hub
 * accepts no other event type, whether a sender writes it or an adapter declares it.
 */
export const eventTypeForm = {
  pattern: '^(?!(?:[^.]*\\.)*(?:constructor|prototype|__proto__)(?:\\.|$))[a-z][a-z0-9_]*(?:\\.[a-z0-9_]+)+$',
  maxLength: 100
} as const

const eventTypePattern = new RegExp(eventTypeForm.pattern)

/** Whether a text can be the type of an event. */
export function isEventType (text: string): boolean {
  return text.length <= eventTypeForm.maxLength && eventTypePattern.test(text)
}

export const eventType = must(
  `an event type of lower-case words with dots between, ${eventTypeForm.maxLength} characters at most,`,
  value => typeof value === 'string' && isEventType(value)
)
export const headerName = matching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'the name of a header')

export function matching (pattern: RegExp, allowed: string): Look {
  return must(allowed, value => typeof value === 'string' && pattern.test(value))
}
