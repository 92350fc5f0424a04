import { ProblemError } from '@linker/client'
import { anyHub } from '../hub/hub.ts'
import { pageToOpen, refusesReturn } from '../rules/authorisation.ts'
import type { Values } from './values-of.ts'

const returnTo = 'returnTo'

/** Begins an authorisation and leaves this page for that of the platform, in the same tab. */
export async function beginAuthorisation (path: string, values: Values, page: string): Promise<void> {
  const address = pageToOpen(await post(path, values, page))
  if (address === undefined) throw new Error('The adapter answered without the address of a page to open.')
  location.assign(address)
}

async function post (path: string, values: Values, page: string): Promise<unknown> {
  try {
    return await anyHub.post(path, { body: { ...values, [returnTo]: page } })
  } catch (error) {
    // An older process of the hub knows no way back: the seller then ends on the adapter's answer.
    if (!(error instanceof ProblemError) || !refusesReturn(error.errors, returnTo)) throw error
    return anyHub.post(path, { body: values })
  }
}
