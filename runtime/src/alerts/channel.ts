import type { Message } from './message.ts'

export const channelNames = ['webhook', 'mail'] as const
export type ChannelName = (typeof channelNames)[number]

/** A way on which the hub tells people. */
export interface Channel {
  name: ChannelName
  /**
   * Resolves when the receiver has taken the message. Rejects when it did not, with an error
   * without secrets.
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}
