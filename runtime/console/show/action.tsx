import type { ComponentChildren, JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useRef, useState } from 'preact/hooks'
import { refreshAll } from '../hub/live.ts'
import { randomKey } from '../hub/random-key.ts'
import { may, type Scope } from '../hub/session.ts'
import { Problem } from './problem.tsx'
import { SameBy, type SameCall } from './same-by.tsx'
import { tell, type Outcome } from './toast.tsx'

interface ActionProps<Plan> {
  /** The words on the button. */
  label: ComponentChildren
  /** The scope that the hub demands; people who have less do not see the button. */
  scope: Scope
  /** The heading of the dialog. */
  title: string
  /** Asks the hub what would happen, when the dialog opens. */
  plan?: (() => Promise<Plan>) | undefined
  /** The fields of the dialog and what the plan says. */
  children?: ComponentChildren | ((plan: Plan) => ComponentChildren)
  /** The words on the button that does it. Default: `label`. */
  confirm?: ComponentChildren
  /** Why it cannot be done now. The button of the dialog is then off, and this is beside it. */
  blocked?: (plan: Plan | undefined) => string | undefined
  /** Does it. The key stays the same while the dialog is open, so a double click is one action. */
  run: (idempotencyKey: string) => Promise<Outcome>
  cli?: string | undefined
  call?: SameCall | undefined
  isGrave?: boolean
  isPrimary?: boolean
}

/** A button that opens a dialog, shows what would happen, does it, and says what changed. */
export function Action<Plan = undefined> (props: ActionProps<Plan>): JSX.Element | null {
  const { label, scope, title, plan, children, confirm = label, blocked, run, cli, call } = props
  const { route } = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [open, setOpen] = useState<{ key: string, plan?: Plan, problem?: Error, isRunning?: boolean }>()
  if (!may(scope)) return null

  async function begin (): Promise<void> {
    setOpen({ key: randomKey() })
    dialog.current?.showModal()
    if (plan === undefined) return
    try {
      const found = await plan()
      setOpen(last => last === undefined ? last : { ...last, plan: found })
    } catch (error) {
      setOpen(last => last === undefined ? last : { ...last, problem: toError(error) })
    }
  }

  async function confirmed (event: Event): Promise<void> {
    event.preventDefault()
    if (open === undefined || open.isRunning === true) return
    setOpen({ ...open, isRunning: true })
    try {
      const outcome = await run(open.key)
      dialog.current?.close()
      tell(outcome)
      // A page whose object is gone must not ask for it again.
      if (outcome.opens === undefined) refreshAll()
      else route(outcome.opens)
    } catch (error) {
      setOpen({ ...open, problem: toError(error), isRunning: false })
    }
  }

  const isPlanned = plan === undefined || open?.plan !== undefined
  const reason = open === undefined ? undefined : blocked?.(open.plan)
  return (
    <>
      <button type='button' class={classOf(props)} onClick={() => void begin()}>{label}</button>
      <dialog ref={dialog} onClose={() => setOpen(undefined)} aria-label={title}>
        {open !== undefined && (
          <form method='dialog' onSubmit={event => void confirmed(event)}>
            <h2>{title}</h2>
            {!isPlanned && open.problem === undefined && <p class='loading'>Asking the hub what would happen…</p>}
            {isPlanned && (typeof children === 'function' ? children(open.plan as Plan) : children)}
            {open.problem !== undefined && <Problem error={open.problem} />}
            <SameBy cli={cli} call={call} />
            <footer class='actions'>
              {reason !== undefined && <p class='muted'>{reason}</p>}
              <button type='button' onClick={() => dialog.current?.close()}>Cancel</button>
              <button
                class={props.isGrave === true ? 'grave' : 'primary'}
                disabled={!isPlanned || reason !== undefined || open.isRunning === true}
              >
                {open.isRunning === true ? 'Working…' : confirm}
              </button>
            </footer>
          </form>
        )}
      </dialog>
    </>
  )
}

/** A button that acts at once: for actions that are harmless and easy to repeat. */
export function QuickAction ({ label, scope, run, isPrimary }: {
  label: ComponentChildren,
  scope: Scope,
  run: () => Promise<Outcome>,
  isPrimary?: boolean
}): JSX.Element | null {
  const [isRunning, setRunning] = useState(false)
  if (!may(scope)) return null

  async function act (): Promise<void> {
    setRunning(true)
    try {
      tell(await run())
      refreshAll()
    } catch (error) {
      tell({ text: toError(error).message, isBad: true })
    }
    setRunning(false)
  }

  return (
    <button
      type='button'
      class={isPrimary === true ? 'primary' : undefined}
      disabled={isRunning}
      onClick={() => void act()}
    >
      {isRunning ? 'Working…' : label}
    </button>
  )
}

function classOf ({ isGrave, isPrimary }: { isGrave?: boolean, isPrimary?: boolean }): string | undefined {
  if (isGrave === true) return 'grave'
  return isPrimary === true ? 'primary' : undefined
}

function toError (error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
