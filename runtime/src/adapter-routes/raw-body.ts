import type { FastifyRequest, RequestPayload } from 'fastify'

/** Keeps the bytes of bodies while the parser reads them. */
export interface RawBodies {
  /**
   * Call it before the parser listens: the body begins to flow in the next tick. Keeps nothing of a
   * body above the limit of the route, which the parser refuses.
   */
  keep(request: FastifyRequest, payload: RequestPayload): void
  /** Returns a copy of the bytes, in memory that holds nothing else. */
  of(request: FastifyRequest): Uint8Array
}

export function createRawBodies (): RawBodies {
  const kept = new WeakMap<FastifyRequest, Buffer[]>()
  return {
    keep (request, payload) {
      const chunks: Buffer[] = []
      const { bodyLimit } = request.routeOptions
      let bytes = 0
      kept.set(request, chunks)
      payload.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= bodyLimit) chunks.push(chunk)
        else chunks.length = 0
      })
    },
    of: request => new Uint8Array(Buffer.concat(kept.get(request) ?? []))
  }
}
