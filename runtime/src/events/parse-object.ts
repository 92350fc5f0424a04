import { digitKeeper } from '@linker/sdk/host/text'
import secureJson from 'secure-json-parse'

/**
 * The object that a JSON text holds, or undefined: not JSON, not an object, or with a member that
 * would change a prototype.
 */
export function parseObject (text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = secureJson.parse(text, digitKeeper(text), {
      protoAction: 'error',
      constructorAction: 'error'
    })
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined
  } catch {
    return undefined
  }
}
