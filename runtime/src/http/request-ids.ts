/** The ids of an HTTP request. Its repetitions have the same `operationId`. */
export interface RequestIds {
  operationId: string
  requestId: string
}
