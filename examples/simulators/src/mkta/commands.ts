import type { FastifyInstance } from 'fastify'
import { happens, type Chance } from '../chance.ts'
import type { Query } from '../request-log.ts'
import type { Authorise } from './authorise.ts'
import type { CommandBody, CommandField, CommandKind } from './command-kinds.ts'
import { RestError, type Problem } from './errors.ts'
import type { Limits } from './limits.ts'
import type { Offers } from './offers.ts'
import { pageOf } from './query.ts'
import type { Schedule } from './schedule.ts'
import { commandParameter } from './schemas.ts'

export interface Task {
  field: CommandField
  message: string
  offer: { id: string }
  status: 'NEW' | 'SUCCESS' | 'FAIL'
  errors: Problem[]
}

export interface Command {
  id: string
  field: CommandField
  body: CommandBody
  sellerId: string
  createdAt: string
  completedAt: string | null
  tasks: Task[]
}

export interface CommandsOptions {
  now: () => Date
  schedule: Schedule
  offers: Offers
  processingMs: () => number
  random: () => number
  switches: CommandSwitches
}

export interface CommandSwitches {
  /**
   * How often a command changes places with one that was accepted earlier, changes the same offers
   * and has not ended. Default 0.5: the marketplace promises no order.
   */
  overtaking: Chance
}

interface Work {
  command: Command
  end: () => void
}

/**
 * Makes the store of commands: changes of many offers that the marketplace accepts at once and
 * applies later, those of one offer in any order. It leaves offers of other sellers out of a
 * command.
 *
 *     accepted, no tasks ──half the time──▶ tasks NEW ──the time──▶ each SUCCESS or FAIL
 */
export function createCommands ({ now, schedule, offers, processingMs, random, switches }: CommandsOptions) {
  const commands = new Map<string, Command>()
  /** The planned ends of commands. Two of them may exchange their work. */
  const turns = new Set<{ work: Work }>()
  const failing = new Map<string, Array<Problem | undefined>>()

  function accept<Body extends CommandBody> (
    kind: CommandKind<Body>,
    id: string,
    body: Body,
    sellerId: string
  ): Command {
    const key = `${kind.field} ${id}`
    if (commands.has(key)) {
      throw new RestError(409, { code: 'CommandAlreadyExists', message: `Command ${id} already exists` })
    }
    kind.check?.(body)
    const command: Command = {
      id,
      field: kind.field,
      body,
      sellerId,
      createdAt: now().toISOString(),
      completedAt: null,
      tasks: []
    }
    const startsAt = Math.max(now().getTime(), Date.parse(kind.startOf(body) ?? '') || 0)
    commands.set(key, command)
    const begin = (): void => start(command)
    schedule.plan(startsAt + processingMs() / 2, begin)
    const work: Work = {
      command,
      end () {
        begin()
        finish(command, offerId => kind.change(offerId, body))
      }
    }
    if (startsAt > now().getTime()) schedule.plan(startsAt + processingMs(), work.end)
    else takeTurn(startsAt + processingMs(), work)
    return command
  }

  function takeTurn (at: number, work: Work): void {
    const turn = { work }
    for (const earlier of turns) {
      if (isOfSameOffer(earlier.work.command, turn.work.command) && happens(switches.overtaking, random)) {
        ;[earlier.work, turn.work] = [turn.work, earlier.work]
      }
    }
    turns.add(turn)
    schedule.plan(at, () => {
      turns.delete(turn)
      turn.work.end()
    })
  }

  function start (command: Command): void {
    if (command.tasks.length > 0) return
    const ids = new Set(offerIdsOf(command))
    command.tasks = [...ids].filter(id => offers.owns(command.sellerId, id)).map(id => ({
      field: command.field,
      message: '',
      offer: { id },
      status: 'NEW',
      errors: []
    }))
  }

  function finish (command: Command, change: (offerId: string) => Problem | undefined): void {
    command.tasks = command.tasks.map((task): Task => {
      const problem = failureOf(task) ?? change(task.offer.id)
      if (problem === undefined) return { ...task, status: 'SUCCESS' }
      return { ...task, status: 'FAIL', message: problem.message, errors: [problem] }
    })
    if (command.tasks.length > 0) command.completedAt = now().toISOString()
  }

  function failureOf ({ field, offer }: Task): Problem | undefined {
    const wanted = failing.get(offer.id)
    if (wanted === undefined || wanted.length === 0) return
    const standard = {
      code: `EXCEPTION_DURING_OFFER_${field.toUpperCase()}_UPDATE`,
      message: `The ${field} could not be changed`,
      path: field
    }
    return wanted.shift() ?? standard
  }

  function failNext (offerId: string, problem?: Problem): void {
    failing.set(offerId, [...failing.get(offerId) ?? [], problem])
  }

  function getOwned (field: CommandField, id: string, sellerId: string): Command {
    const command = commands.get(`${field} ${id}`)
    if (command?.sellerId !== sellerId) {
      throw new RestError(404, { code: 'NotFound', message: `Command ${id} not found` })
    }
    return command
  }

  function all (): Command[] {
    schedule.catchUp()
    return structuredClone([...commands.values()])
  }

  return { accept, getOwned, failNext, all }
}

export type Commands = ReturnType<typeof createCommands>

function offerIdsOf ({ body }: Command): string[] {
  return body.offerCriteria.flatMap(({ offers }) => offers.map(({ id }) => id))
}

function isOfSameOffer (one: Command, other: Command): boolean {
  const ids = new Set(offerIdsOf(one))
  return offerIdsOf(other).some(id => ids.has(id))
}

export interface CommandRoutes {
  commands: Commands
  limits: Limits
}

export function registerCommands<Body extends CommandBody> (
  app: FastifyInstance,
  kind: CommandKind<Body>,
  { commands, limits }: CommandRoutes,
  authorise: Authorise
): void {
  const path = `/sale/offer-${kind.field}-${kind.field === 'publication' ? 'commands' : 'change-commands'}/:id`
  const schema = { params: commandParameter }

  app.put<{ Params: { id: string }, Body: CommandBody }>(
    path,
    { schema: { ...schema, body: kind.schema } },
    async (request, reply) => {
      // The route has checked the body by kind.schema.
      const body = request.body as Body
      const seller = authorise(request, 'mkta:api:sale:offers:write')
      limits.countOfferChanges(seller, kind.field, body.offerCriteria.flatMap(({ offers }) => offers).length)
      return reply.code(201).send(summary(commands.accept(kind, request.params.id, body, seller)))
    }
  )

  app.get<{ Params: { id: string } }>(path, { schema }, async request => {
    const seller = authorise(request, 'mkta:api:sale:offers:read')
    const command = commands.getOwned(kind.field, request.params.id, seller)
    limits.countReport(seller, command.tasks.length)
    return summary(command)
  })

  app.get<{ Params: { id: string }, Querystring: Query }>(`${path}/tasks`, { schema }, async request => {
    const seller = authorise(request, 'mkta:api:sale:offers:read')
    const { tasks } = commands.getOwned(kind.field, request.params.id, seller)
    const page = pageOf(request.query, tasks, { defaultLimit: 100, maxLimit: 1_000, maxOffset: 999, status: 422 })
    limits.countReport(seller, page.length)
    return { tasks: page }
  })
}

function summary ({ id, createdAt, completedAt, tasks }: Command) {
  const count = (wanted: Task['status']) => tasks.filter(({ status }) => status === wanted).length
  return {
    id,
    createdAt,
    completedAt,
    taskCount: { total: tasks.length, success: count('SUCCESS'), failed: count('FAIL') }
  }
}
