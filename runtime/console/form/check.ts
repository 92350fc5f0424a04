import type { Schemas } from '@linker/client'
import { useEffect, useState } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import type { FieldProblem, Values } from './values-of.ts'

/** The form asks the hub when nobody has typed for this time. */
const restMs = 400

export type ConnectionTest = Schemas['ConnectionTest']

export interface Settings {
  adapterKey: string
  version: string
  config: Values
  /** Undefined: they are not judged. */
  credentials?: Values | undefined
}

export interface Checked {
  /** Undefined: the hub has not judged the present settings yet. */
  isValid: boolean | undefined
  errors: readonly FieldProblem[]
  warnings: readonly FieldProblem[]
  problem: Error | undefined
}

const notChecked: Checked = { isValid: undefined, errors: [], warnings: [], problem: undefined }

/** Asks the hub about settings while a person types them, and keeps the last verdict meanwhile. */
export function useCheck (settings: Settings | undefined): Checked {
  const key = JSON.stringify(settings)
  const [state, setState] = useState<Checked & { key: string | undefined }>({ key: undefined, ...notChecked })

  useEffect(() => {
    if (settings === undefined) return undefined
    const abort = new AbortController()
    const timer = setTimeout(() =>
      void judge(settings, abort.signal).then(found => {
        if (!abort.signal.aborted) setState({ key, ...found })
      }), restMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [key])

  return state.key === key ? state : { ...state, isValid: undefined }
}

async function judge (settings: Settings, signal: AbortSignal): Promise<Checked> {
  try {
    const { valid, errors, warnings } = await ask(settings, false, signal)
    return { isValid: valid, errors, warnings, problem: undefined }
  } catch (error) {
    return { ...notChecked, problem: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Tests settings at the platform without storing them, as `create --dry-run` does. */
export async function testSettings (settings: Settings): Promise<{
  errors: readonly FieldProblem[],
  test: ConnectionTest | undefined
}> {
  const { errors, test } = await ask(settings, true)
  return { errors, test }
}

function ask ({ adapterKey, version, config, credentials }: Settings, test: boolean, signal?: AbortSignal) {
  return hub.post('/adapters/{key}/config/validate', {
    path: { key: adapterKey },
    query: test ? { version, test } : { version },
    body: { config: { ...config }, ...(credentials === undefined ? {} : { credentials: { ...credentials } }) },
    ...(signal === undefined ? {} : { signal })
  })
}
