import type { Examples } from '../http/description/examples.ts'

/**
 * Loads the examples of the OpenAPI document, when somebody first reads it: few hubs are asked for
 * it, and the others need no memory for them.
 */
export async function readExamples (): Promise<Examples> {
  return (await import('./all-examples.ts')).apiExamples
}
