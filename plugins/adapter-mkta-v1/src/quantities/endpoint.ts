import { Nullable, type HttpClient } from '@linker/sdk'
import { Type, type Static } from '@sinclair/typebox'
import { parseAs, parseBody } from '../read-answer.ts'
import type { Command } from './command.ts'

/** The most tasks of a page, and the most offers of a command. */
const mostTasks = 1_000

const Progress = Type.Object({
  id: Type.String(),
  completedAt: Nullable(Type.String()),
  taskCount: Type.Object({ total: Type.Integer(), success: Type.Integer(), failed: Type.Integer() })
})
type Progress = Static<typeof Progress>

/** The marketplace's work on one offer of a command. */
const Task = Type.Object({
  offer: Type.Object({ id: Type.String() }),
  status: Type.String(),
  message: Nullable(Type.String()),
  errors: Nullable(Type.Array(Type.Object({ code: Nullable(Type.String()), message: Nullable(Type.String()) })))
})
export type Task = Static<typeof Task>
const Tasks = Type.Object({ tasks: Type.Array(Task) })

/**
 * Sends a command for many offers. Returns false when the id of the command was used but the
 * marketplace knows no command by it.
 */
export async function putCommand (http: HttpClient, commandId: string, command: Command): Promise<boolean> {
  const { offerIds, quantity: value } = command
  const body = {
    modification: { changeType: 'FIXED', value },
    offerCriteria: [{ type: 'CONTAINS_OFFERS', offers: offerIds.map(id => ({ id })) }]
  }
  const answer = await http.request({ method: 'PUT', path: commandPath(commandId), body, accept: [409] })
  if (answer.status === 409) return await readProgress(http, commandId) !== undefined
  parseAs(Progress, parseBody(answer.body), 'the command')
  return true
}

/** Returns the marketplace's progress on a command, or undefined for an unknown id. */
export async function readProgress (http: HttpClient, commandId: string): Promise<Progress | undefined> {
  const answer = await http.request({ method: 'GET', path: commandPath(commandId), accept: [404] })
  return answer.status === 404 ? undefined : parseAs(Progress, parseBody(answer.body), 'the command')
}

export function isDone ({ completedAt, taskCount: { total, success, failed } }: Progress): boolean {
  return typeof completedAt === 'string' || (total > 0 && success + failed >= total)
}

/**
 * Reads the report about a command. One page holds all of it: a command has at most a thousand
 * offers, and the marketplace refuses an `offset` above 999.
 */
export async function readTasks (http: HttpClient, commandId: string): Promise<Task[]> {
  const query = { limit: mostTasks, offset: 0 }
  const { tasks } = await http.get(`${commandPath(commandId)}/tasks`, { query, as: Tasks })
  return tasks
}

function commandPath (commandId: string): string {
  return `sale/offer-quantity-change-commands/${commandId}`
}
