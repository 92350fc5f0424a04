import type { RefreshRefusal } from '@linker/sdk/host'
import { LockMode, type EntityManager, type RequiredEntityData } from '@mikro-orm/postgresql'
import { countRows } from '../database/count-rows.ts'
import type { Query } from '../database/database.ts'
import { removeInSteps } from '../database/remove-in-steps.ts'
import { Credential } from './entity.ts'
import type { Sealed } from './sealing.ts'
import {
  countPlain,
  deleteExpired,
  deleteExpiredReturns,
  deleteFlow,
  endReturn,
  insertFlow,
  insertReturn,
  selectKeyIds,
  selectOfRefs,
  selectReturn,
  selectTaken,
  takeData,
  updateAnswer,
  updateRefusal
} from './statements.ts'

/** Adds a row of credentials, which the transaction of `em` stores when it ends. */
export function insertCredential (em: EntityManager, row: RequiredEntityData<Credential>): void {
  em.persist(em.create(Credential, row))
}

/** The content of a row of credentials. */
export type CredentialContent = Omit<Credential, 'createdAt' | 'updatedAt'>

/**
 * Reads rows of credentials without a lock. Every job does: MikroORM takes three times as long to
 * build the statement and its entities.
 */
export async function readCredentials (query: Query, refs: readonly string[]): Promise<CredentialContent[]> {
  return query<CredentialContent>(selectOfRefs, [[...new Set(refs)]])
}

/** Reads a row of credentials and locks it until the transaction ends. */
export async function lockCredential (em: EntityManager, ref: string): Promise<Credential | null> {
  return em.findOne(Credential, { ref }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Changes a row of credentials, which the transaction of `em` stores when it ends. */
export function setContent (
  em: EntityManager,
  row: Credential,
  content: Pick<Credential, 'credentialsJson' | 'encrypted' | 'updatedAt'>
): void {
  em.assign(row, content)
}

/** Keeps the refusal to renew a token. The row gets no new version, because its content stays. */
export async function storeRefusal (query: Query, ref: string, refusal: RefreshRefusal): Promise<void> {
  await query(updateRefusal, [ref, JSON.stringify(refusal)])
}

/** Removes a row of credentials. */
export async function removeCredentials (query: Query, ref: string): Promise<void> {
  await query('delete from integration_credentials where ref = $1', [ref])
}

/** A flow of a platform, named by the hash of its state. */
export interface FlowKey {
  stateHash: string
  platformType: string
}

/** Stores a flow with its data. */
export async function addFlow (
  query: Query,
  { stateHash, platformType }: FlowKey,
  { json, encrypted }: Sealed,
  ttlSeconds: number
): Promise<void> {
  await query(insertFlow, [stateHash, platformType, JSON.stringify(json), encrypted, ttlSeconds])
}

/**
 * Takes the data of a flow out of its row. Only one process gets them, and it may work on the flow
 * for `leaseMs`. Returns undefined when there are none.
 */
export async function takeFlowData (
  query: Query,
  { stateHash, platformType }: FlowKey,
  { token, leaseMs }: { token: string, leaseMs: number }
): Promise<Sealed | undefined> {
  const [taken] = await query<Sealed>(takeData, [stateHash, platformType, token, leaseMs])
  return taken
}

/** The answer of a flow whose data were taken. Null `json`: there is none yet. */
export interface FlowAnswer {
  json: Sealed['json'] | null
  encrypted: boolean
}

/** Reads the answer of a flow. Returns undefined while its data are there, or when it is gone. */
export async function readFlowAnswer (
  query: Query,
  { stateHash, platformType }: FlowKey
): Promise<FlowAnswer | undefined> {
  const [row] = await query<FlowAnswer>(selectTaken, [stateHash, platformType])
  return row
}

/** Stores the answer of a flow for five minutes, if the token is the one that took the flow. */
export async function storeFlowAnswer (
  query: Query,
  { stateHash, token }: { stateHash: string, token: string },
  { json, encrypted }: Sealed
): Promise<void> {
  await query(updateAnswer, [stateHash, token, JSON.stringify(json), encrypted])
}

/** Removes a flow, if the token is the one that took it. */
export async function removeFlow (
  query: Query,
  { stateHash, token }: { stateHash: string, token: string }
): Promise<void> {
  await query(deleteFlow, [stateHash, token])
}

/** Removes expired flows, because their data must not stay much longer than their time. */
export async function removeExpiredFlows (query: Query): Promise<number> {
  return removeInSteps(query, deleteExpired)
}

/** Where the browser returns to from an authorisation. Null `location`: it has not ended. */
export interface Return {
  page: string
  location: string | null
  /** The hash of the query that ended it; null also where an earlier hub has ended it. */
  endedBy: string | null
}

/** The end of an authorisation by one request of the browser. */
export interface ReturnEnd {
  location: string
  endedBy: string
  succeeded: boolean
}

export async function addReturn (query: Query, { stateHash, platformType }: FlowKey, page: string): Promise<void> {
  await query(insertReturn, [stateHash, platformType, page])
}

export async function readReturn (query: Query, { stateHash, platformType }: FlowKey): Promise<Return | undefined> {
  const [row] = await query<Return>(selectReturn, [stateHash, platformType])
  return row
}

/**
 * Stores the result of an authorisation, unless there is one already and this is no success.
 * Returns the stored one, or undefined while the flow has not ended and when another request has
 * ended it.
 */
export async function storeReturn (
  query: Query,
  { stateHash, platformType }: FlowKey,
  { location, endedBy, succeeded }: ReturnEnd
): Promise<string | undefined> {
  const values = [stateHash, platformType, location, endedBy, succeeded]
  const [row] = await query<{ location: string | null }>(endReturn, values)
  return row?.location ?? undefined
}

export async function removeExpiredReturns (query: Query): Promise<number> {
  return removeInSteps(query, deleteExpiredReturns)
}

/**
 * Ids of the keys that anything stored is encrypted with: credentials, secrets of webhooks, and
 * authorisations that are under way.
 */
export async function readKeyIds (query: Query): Promise<string[]> {
  const rows = await query<{ kid: string | null }>(selectKeyIds)
  return rows.map(({ kid }) => kid ?? '')
}

/** How many stored credentials and secrets of webhooks are not encrypted. */
export async function countPlainSecrets (query: Query): Promise<number> {
  return countRows(query, countPlain)
}
