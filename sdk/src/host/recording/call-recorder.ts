import { RejectedError } from '../../errors.ts'
import type { HttpExchange } from '../../http/client.ts'
import type { CurrentCall } from '../current-call.ts'

/** A person reads a recording, and the answer of the hub's API contains it. */
const mostRecordedBytes = 4 * 1024 * 1024

/**
 * Returns the function that keeps the exchanges of the current call, with their secrets: a token
 * may be answered before it is known as a secret. Undefined when nobody records the call. Ends a
 * call whose traffic is too large to record.
 */
export function callRecorder (current: CurrentCall | undefined): ((exchange: HttpExchange) => void) | undefined {
  const { exchanges } = current ?? {}
  if (current === undefined || exchanges === undefined) return undefined
  return exchange => {
    // The adapter's side ended it, so it says nothing of the platform.
    if (exchange.failure === 'ABORTED') return
    const { length = 0 } = exchange.answer?.body ?? {}
    const bytes = (current.recordedBytes ?? 0) + length + (exchange.body?.length ?? 0)
    current.recordedBytes = bytes
    if (bytes > mostRecordedBytes) {
      const limit = `${bytes} bytes, at most ${mostRecordedBytes}`
      current.breakOff(new RejectedError(`the traffic is too large to record: ${limit}. Ask for fewer items`))
      return
    }
    exchanges.push(exchange)
  }
}
