import type { AttentionItem } from '../attention/schemas.ts'
import type { Query } from '../database/database.ts'
import { toStorableJson } from '../database/storable-json.ts'
import type { ChannelName } from './channel.ts'
import {
  closeTellings,
  deleteOldTellings,
  selectChannels,
  selectTellings,
  takeChannels,
  updateFailed,
  updateSent,
  upsertTellings
} from './statements.ts'

/** An item that was told on a channel. */
export interface Telling {
  channel: ChannelName
  key: string
  /** As it was told. */
  item: AttentionItem
  /** ISO 8601. */
  toldAt: string
  /** Whether its end was not told yet. */
  isOpen: boolean
}

/** How a channel works. Times are ISO 8601. */
export interface ChannelState {
  channel: ChannelName
  /** Messages that failed one after the other. */
  failures: number
  failingSince: string | null
  /** Why the last message failed. */
  problem: string | null
  lastSentAt: string | null
  nextLookAt: string
}

/**
 * Takes channels for a look by this process alone, until a time. Returns those that it got, with
 * the number of their failures.
 */
export async function takeDueChannels (
  query: Query,
  channels: readonly ChannelName[],
  { now, until }: { now: Date, until: Date }
): Promise<Pick<ChannelState, 'channel' | 'failures'>[]> {
  return query<Pick<ChannelState, 'channel' | 'failures'>>(takeChannels, [channels, now, until])
}

/** Reads the states of channels. Leaves out a channel that was never used. */
export async function readChannels (query: Query, channels: readonly ChannelName[]): Promise<ChannelState[]> {
  return query<ChannelState>(selectChannels, [channels])
}

export async function readTellings (query: Query, channels: readonly ChannelName[]): Promise<Telling[]> {
  return query<Telling>(selectTellings, [channels])
}

/** The contents of a message that arrived. */
export interface Told {
  channel: ChannelName
  at: Date
  told: readonly AttentionItem[]
  /** The keys of the items whose end was told. */
  recovered: readonly string[]
  /** Tellings that ended before this time are forgotten. */
  forgetBefore: Date
}

/** Stores that a message arrived, in the caller's transaction. */
export async function storeTold (
  query: Query,
  { channel, at, told, recovered, forgetBefore }: Told
): Promise<void> {
  await query(updateSent, [channel, at])
  await query(upsertTellings, [channel, toStorableJson(told.map(item => ({ key: item.key, item }))), at])
  await query(closeTellings, [channel, recovered])
  await query(deleteOldTellings, [channel, forgetBefore])
}

/** Stores that a message arrived that told nothing. */
export async function storeWorks (query: Query, channel: ChannelName, at: Date): Promise<void> {
  await query(updateSent, [channel, at])
}

/** Stores that a message failed. The next one is tried at `nextLookAt`. */
export async function storeFailed (
  query: Query,
  { channel, at, nextLookAt, problem }: { channel: ChannelName, at: Date, nextLookAt: Date, problem: string }
): Promise<void> {
  await query(updateFailed, [channel, at, nextLookAt, problem])
}
