import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { Action } from '../../show/action.tsx'

/** Makes the platform send its webhooks to the hub, with a new secret. */
export function InstallButton ({ connection: { id, name }, status: { secretAgeSeconds, webhooksConfigured } }: {
  connection: Schemas['Connection'],
  status: Schemas['WebhookStatus']
}): JSX.Element {
  // A secret from the environment does not mean that the platform knows the address of the hub.
  const isInstalled = secretAgeSeconds !== null
  const label = isInstalled ? 'Install again' : 'Install webhooks'

  async function install () {
    const { testPingTriggered, warning } = await hub.post('/connections/{id}/webhooks/install', { path: { id } })
    const arrival = testPingTriggered ? 'and a test event arrived' : 'but no test event arrived'
    return {
      text: `The webhooks of “${name}” are installed, ${arrival}.${warning === undefined ? '' : ` ${warning}`}`,
      isBad: !testPingTriggered
    }
  }

  return (
    <Action
      label={label}
      scope='admin'
      isPrimary={!webhooksConfigured}
      title={`Install the webhooks of “${name}”`}
      confirm='Install'
      cli={`linker webhook install ${id}`}
      run={install}
    >
      <p>
        The hub makes a new secret, registers its address and the secret at the platform, and sends itself a test event
        through that address.
      </p>
      {isInstalled && (
        <p>Deliveries that are signed with the secret of before are accepted until the platform uses the new one.</p>
      )}
    </Action>
  )
}
