import { AdapterErrorCode, type AdapterError } from '../../errors.ts'

/** The status of the answer of a route whose handler throws an error of the SDK. */
export const routeStatus: Readonly<Record<AdapterErrorCode, number>> = {
  [AdapterErrorCode.rejected]: 400,
  [AdapterErrorCode.notFound]: 404,
  [AdapterErrorCode.configuration]: 500,
  [AdapterErrorCode.authentication]: 502,
  [AdapterErrorCode.outcomeUnknown]: 502,
  [AdapterErrorCode.rateLimited]: 503,
  [AdapterErrorCode.transient]: 503,
  [AdapterErrorCode.writeUnderWay]: 503,
  [AdapterErrorCode.unavailable]: 503
}

const waitCodes: ReadonlySet<AdapterErrorCode> = new Set([
  AdapterErrorCode.rateLimited,
  AdapterErrorCode.writeUnderWay,
  AdapterErrorCode.unavailable
])

const defaultRetryAfterMs = 30_000
const longestRetryAfterMs = 3_600_000

/** The fields that an error names; none for most errors. */
export function fieldsOf (error: AdapterError): unknown[] {
  return 'fields' in error && Array.isArray(error.fields) ? error.fields : []
}

/** After how many seconds a caller may ask again; undefined unless the error is about a wait. */
export function retryAfterSecondsOf (error: AdapterError): number | undefined {
  if (!waitCodes.has(error.code)) return undefined
  const asked = 'retryAfterMs' in error ? Number(error.retryAfterMs) : Number.NaN
  const isUsable = Number.isFinite(asked) && asked >= 0
  return Math.ceil(Math.min(longestRetryAfterMs, isUsable ? asked : defaultRetryAfterMs) / 1_000)
}
