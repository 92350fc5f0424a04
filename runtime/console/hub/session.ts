import type { Schemas } from '@linker/client'
import { signal } from '@preact/signals'

export type Session = Schemas['Session']
export type Scope = Session['scope']

/** Who is signed in. Undefined: not known yet; null: nobody. */
export const session = signal<Session | null | undefined>(undefined)

const order: readonly Scope[] = ['read', 'operate', 'admin']

/** Whether the person may do what needs the scope. The hub decides; this only hides buttons. */
export function may (scope: Scope): boolean {
  const { value } = session
  return value !== null && value !== undefined && order.indexOf(value.scope) >= order.indexOf(scope)
}
