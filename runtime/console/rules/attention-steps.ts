import { pageOf } from './addresses.ts'

interface Item {
  kind: string
  target: string
  connectionId?: string | undefined
}

/** The words on the button of an item, by its kind. */
const labels: Readonly<Record<string, string>> = {
  'account-shared': 'See the connection',
  'adapter-away': 'Choose a version',
  'breaker-open': 'See the traffic',
  'connection-error': 'Correct the credentials',
  'credentials-unreadable': 'See the processes',
  'dead-jobs': 'See the jobs',
  'dead-messages': 'See the hub',
  'disk-space': 'See the hub',
  'ending-credentials': 'Renew the credentials',
  'ending-token': 'See the tokens',
  'failed-orders': 'See the orders',
  'held-sweep': 'See the sweep',
  'ignored-events': 'See the deliveries',
  'late-jobs': 'See the jobs',
  'late-shipments': 'See the orders',
  'lost-offers': 'See the offers',
  'mixed-streams': 'See the processes',
  'no-alert-channel': 'See the hub',
  'no-worker': 'See the processes',
  'oversell': 'See the offers',
  'pause-open': 'See the pause',
  'platform-resting': 'See the traffic',
  'refused-quantities': 'See the offers',
  'refused-webhooks': 'See the webhooks',
  'schedules-off': 'See the schedules',
  'shared-references': 'See the variant',
  'silent-webhooks': 'See the webhooks',
  'stock-jumps': 'See the stock',
  'stuck-orders': 'See the orders',
  'troubled-orders': 'See the orders',
  'unchecked': 'See the hub',
  'unmapped-orders': 'Link the offers',
  'unread-shops': 'See the diagnosis',
  'unreached-webhooks': 'See the webhooks',
  'untold-shipments': 'Decide in the settings',
  'unsafe-setting': 'See the settings',
  'waiting-redrive': 'See the retry'
}

/** The tab of the connection where a person mends it; other items lead to what they count. */
const tabs: Readonly<Record<string, string>> = {
  'adapter-away': 'adapter',
  'connection-error': 'settings',
  'ending-credentials': 'settings',
  'refused-webhooks': 'webhooks',
  'silent-webhooks': 'webhooks',
  'unreached-webhooks': 'webhooks',
  'untold-shipments': 'settings'
}

/** The button of an item that needs a person: its words, and the page that it opens. */
export function stepOfItem ({ kind, target, connectionId }: Item): { label: string, href: string } {
  const tab = tabs[kind]
  return {
    label: labels[kind] ?? 'Look',
    href: tab === undefined || connectionId === undefined
      ? pageOf(target)
      : `/console/connections/${connectionId}/${tab}`
  }
}
