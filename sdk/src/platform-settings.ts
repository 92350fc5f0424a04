import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from './context.ts'
import { ConfigurationError } from './errors.ts'

/**
 * Checks the operator's settings for the platform (`context.platform`, `host.platform`) against a
 * schema. Throws a `ConfigurationError` that names the first wrong member of linker.config.json.
 * Fills in no defaults.
 */
export function readPlatformSettings<Schema extends TSchema> (
  schema: Schema,
  platformType: string,
  platform: Context['platform']
): Static<Schema> {
  if (Value.Check(schema, platform)) return platform
  const problem = Value.Errors(schema, platform).First()
  const path = problem?.path.replaceAll('/', '.') ?? ''
  const message = problem?.message ?? 'is not valid'
  throw new ConfigurationError(`platforms.${platformType}${path} in linker.config.json: ${message}`)
}
