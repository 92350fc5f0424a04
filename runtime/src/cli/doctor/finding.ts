import { escapeUnprintable } from '@linker/sdk/host/text'

/**
 * The result of one check. `failed` keeps the hub, or a part of it, from working; `warning` does
 * not yet.
 */
export interface Finding {
  mark: 'ok' | 'warning' | 'failed'
  check: string
  message: string
  remedy?: string
}

export function ok (check: string, message: string): Finding {
  return { mark: 'ok', check, message }
}

export function warning (check: string, message: string, remedy: string): Finding {
  return { mark: 'warning', check, message, remedy }
}

export function failed (check: string, message: string, remedy: string): Finding {
  return { mark: 'failed', check, message, remedy }
}

export function messageOf (error: unknown): string {
  return error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
}

const marks = { ok: '✓', warning: '!', failed: '✗' }

/** A finding as a line for a terminal. `width`: the room for the name of the check. */
export function describeFinding ({ mark, check, message, remedy }: Finding, width = 14): string {
  const advice = remedy === undefined ? '' : ` → ${remedy}`
  return escapeUnprintable(`${marks[mark]} ${check.padEnd(width)} ${message}${advice}`)
}
