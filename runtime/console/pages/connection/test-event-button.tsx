import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { QuickAction } from '../../show/action.tsx'

/** Sends a test event through the public address of the hub. */
export function TestEventButton ({ connection: { id, name } }: { connection: Schemas['Connection'] }): JSX.Element {
  async function run () {
    const { arrived, problem, callbackUrl } = await hub.post('/connections/{id}/webhooks/test', { path: { id } })
    return arrived
      ? { text: `A test event for “${name}” arrived through ${callbackUrl}.` }
      : { text: `The test event for “${name}” did not arrive through ${callbackUrl}: ${problem}`, isBad: true }
  }

  return <QuickAction label='Send test event' scope='operate' run={run} />
}
