import { newItem } from '../attention/items/new-item.ts'
import type { AttentionItem } from '../attention/schemas.ts'
import { countOf } from '../words.ts'
import type { ChannelName } from './channel.ts'
import type { ChannelState } from './store.ts'

const namesForPeople: Readonly<Record<ChannelName, string>> = { webhook: 'The webhook', mail: 'The mail' }

/** Makes an item of each channel whose last message failed. */
export function channelItems (states: readonly ChannelState[]): AttentionItem[] {
  return states.filter(({ failures }) => failures > 0).map(({ channel, failures, failingSince, problem }) =>
    newItem({
      kind: 'alert-channel',
      severity: 'error',
      since: failingSince,
      count: failures,
      of: channel,
      title: `${namesForPeople[channel]} for alerts does not work`,
      detail:
        `${countOf(failures, 'message')} did not arrive, the last because: ${problem ?? 'no reason'}. Correct the ` +
        'settings LINKER_ALERT_…, or the receiver; `linker alerts test` shows whether it works again.',
      target: '/alerts'
    })
  )
}
